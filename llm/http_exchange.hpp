#pragma once
/// One request over HTTP/1.1 and what came of it.

#include "llm/provider.hpp"

#include <cstdint>
#include <memory>
#include <string>

struct ssl_ctx_st;

namespace brewery {

struct http_call {
  std::string target;                      ///< path and query
  std::shared_ptr<const std::string> body; ///< JSON, sent with POST
  bool fresh = false;                      ///< not on a kept connection
};

struct http_reply {
  unsigned status = 0;
  http_headers headers;
  std::string body;
};

/// Why there is no whole reply.
enum class http_trouble : std::uint8_t {
  none = 0,
  unreachable = 1, ///< no connection could be made
  untrusted = 2,   ///< the server's certificate does not hold
  proxy = 3,       ///< the proxy refused; `proxy_status` says how
  not_sent = 4,    ///< broke before all of the request was sent
  stale = 5,       ///< a kept connection ended at once, nothing was received
  no_reply = 6,    ///< ended after the request, before any byte of a reply
  cut_off = 7,     ///< ended inside the reply
  bad_http = 8,    ///< what came is no HTTP
  too_large = 9,   ///< the reply exceeds `reply_bytes_most`
  connect_timeout = 10,
  send_timeout = 11, ///< the server stopped taking the request
  first_byte_timeout = 12,
  idle_timeout = 13,
  total_timeout = 14,
  cancelled = 15,
};

struct http_outcome {
  http_reply reply; ///< with trouble::none
  http_trouble trouble = http_trouble::none;
  std::string what; ///< the trouble in words, without the server's name
  unsigned proxy_status = 0;
  bool all_sent = false; ///< the whole request left; the server may act on it
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
};

/// What the connections of one server share; immutable.
struct http_endpoint {
  checked_provider server;
  std::shared_ptr<ssl_ctx_st> tls; ///< null without TLS
};

/// Loads the authorities. ec::invalid_config when the file is no PEM,
/// ec::not_found when there is none.
result<std::shared_ptr<const http_endpoint>>
make_endpoint(checked_provider server);

} // namespace brewery
