#pragma once
/// A small HTTP/1.1 server for `/metrics`, `/healthz` and the like: one thread
/// of its own, GET and HEAD only, a handler per path. Loopback unless told
/// otherwise, without TLS or authentication: what it serves is for operators,
/// and a cluster puts a network policy in front.
///
///   auto server = http_server::start({.port = 9464},
///                                    {{"/healthz", [](auto&) { return ok;
///                                    }}});
///
/// Handlers run on the server's thread, so they must be thread-safe and quick;
/// one that throws is answered with 500. Unknown paths get 404, other methods
/// 405, requests that are too large 413 or 431, broken ones 400, each followed
/// by a closed connection. Whoever sends or reads too slowly is dropped.

#include "base/result.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace brewery {

struct http_request {
  std::string path;  ///< up to the question mark, not decoded
  std::string query; ///< after it
};

struct http_response {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
};

using http_handler = std::function<http_response(const http_request&)>;

struct http_options {
  std::string address = "127.0.0.1"; ///< IPv4 or IPv6; "0.0.0.0" for all
  std::uint16_t port = 0;            ///< 0: any free one, see port()
  std::uint32_t header_bytes_max = 8192;
  /// For reading one whole request and for writing one whole response.
  std::chrono::milliseconds idle_timeout{10'000};
  std::size_t connections_max = 64; ///< more are closed at once
};

class http_server {
public:
  /// By exact path. ec::invalid_argument for an address that is none,
  /// ec::in_use when the port is taken, ec::io otherwise.
  static result<std::unique_ptr<http_server>>
  start(const http_options& options,
        std::map<std::string, http_handler> handlers);

  /// Stops: waits for a running handler, drops every connection.
  ~http_server();
  http_server(const http_server&) = delete;
  http_server& operator=(const http_server&) = delete;

  [[nodiscard]] std::uint16_t port() const;

private:
  struct state;
  explicit http_server(std::unique_ptr<state> started);
  std::unique_ptr<state> state_;
};

} // namespace brewery
