#pragma once
/// One HTTP/1.1 request and its outcome.

#include "llm/client/provider.hpp"
#include "llm/http/body_sink.hpp"

#include <cstdint>
#include <memory>
#include <string>

struct ssl_ctx_st;

namespace brewery {

struct http_call {
  std::string target;                      ///< path and query
  std::shared_ptr<const std::string> body; ///< JSON, sent with POST
  bool fresh = false;                      ///< never on a reused connection
  /// Gets the body of a reply with status 200 and text/event-stream; null: the
  /// reply holds it.
  std::shared_ptr<body_sink> sink{};
};

struct http_reply {
  unsigned status = 0;
  http_headers headers;
  std::string body;
};

/// Why there is no complete reply.
enum class http_trouble : std::uint8_t {
  none = 0,
  unreachable = 1, ///< no connection could be made
  untrusted = 2,   ///< the server's certificate is not valid
  proxy = 3,       ///< the proxy refused; see `proxy_status`
  not_sent = 4,    ///< broken before the whole request was sent
  stale = 5,       ///< a reused connection ended at once, without a reply
  no_reply = 6,    ///< ended after the request, before any byte of a reply
  cut_off = 7,     ///< ended within the reply
  bad_http = 8,    ///< the reply is not HTTP
  too_large = 9,   ///< the reply exceeds `reply_bytes_most`
  connect_timeout = 10,
  send_timeout = 11, ///< the server stopped taking the request
  first_byte_timeout = 12,
  idle_timeout = 13,
  total_timeout = 14,
  cancelled = 15,
};

struct http_outcome {
  http_reply reply; ///< valid with trouble::none
  http_trouble trouble = http_trouble::none;
  std::string what; ///< describes the trouble, without the server's name
  unsigned proxy_status = 0;
  bool streamed = false; ///< the sink got the body
  /// The whole request was sent; the server may act on it.
  bool all_sent = false;
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
};

/// Shared by all connections to one server; immutable.
struct http_endpoint {
  checked_provider server;
  std::shared_ptr<ssl_ctx_st> tls; ///< null: no TLS
};

/// Loads the authorities. Error ec::invalid_config if the file is not PEM,
/// ec::not_found if it does not exist.
result<std::shared_ptr<const http_endpoint>>
make_endpoint(checked_provider server);

} // namespace brewery
