#pragma once
/// A small HTTP/1.1 server for `/metrics`, `/healthz`, the pages of `brewery
/// ui` and the like: GET and HEAD only, one handler per path or per beginning
/// of paths. It listens on loopback by default, without TLS; who may ask is up
/// to the handlers (net/http_access.hpp).
///
///   auto server = http_server::start(
///       {.port = 9464}, {{"/healthz", [](auto&) { return ok; }}});
///
/// Handlers run on the server's thread, so they must be thread-safe and fast.
/// Pages may be slow: they run on a second thread, one after the other, and
/// answers that go on are made on a third. So a page that reads a large log
/// delays neither `/healthz` nor what is sent live, and pages and streams have
/// connections of their own number: they never take the last one. A handler
/// that throws gives status 500. Unknown paths give 404, other methods
/// 405, requests that are too large 413 or 431, malformed ones 400. The server
/// closes the connection after each of these. It drops clients that send or
/// read too slowly.

#include "base/result.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace brewery {

/// The body of an answer that goes on, such as server-sent events. The server
/// asks for more when the client has taken what came before, so it holds one
/// text per client, however slow that is. Used by one thread; destroyed on
/// another.
class http_feed {
public:
  virtual ~http_feed() = default;
  /// What to send next. An empty text: nothing yet; asked again after
  /// `http_options::feed_interval`. No text: the answer is over.
  virtual std::optional<std::string> next() = 0;
};

struct http_request {
  std::string path;  ///< up to the question mark, not decoded
  std::string query; ///< after the question mark, not decoded
  /// That of an absolute target, else of the header; empty unless the request
  /// has exactly one.
  std::string host{};
  std::string authorization{}; ///< empty unless the request has exactly one
  std::string last_event_id{}; ///< likewise
  std::string origin{};        ///< "null", so nobody's, if it has several
  /// Sec-Fetch-Site, which browsers send; empty unless it has exactly one.
  std::string fetch_site{};
};

struct http_response {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers{}; ///< further ones
  std::shared_ptr<http_feed> feed{}; ///< of pages only: what follows `body`
};

using http_handler = std::function<http_response(const http_request&)>;

struct http_options {
  std::string address = "127.0.0.1"; ///< IPv4 or IPv6; "0.0.0.0" for all
  std::uint16_t port = 0;            ///< 0: any free port, see port()
  std::uint32_t header_bytes_max = 8192;
  /// Limit for reading one whole request, and for writing one whole response.
  std::chrono::milliseconds idle_timeout{10'000};
  /// Beyond it, a new connection takes the place of the one whose client has
  /// been waited for longest: clients that say nothing, or take no answer, shut
  /// out nobody.
  std::size_t connections_max = 64;
  /// Requests for pages that are answered or wait for it, at most half of
  /// `connections_max`; further ones get status 503.
  std::size_t pages_max = 32;
  /// Answers that go on, besides `connections_max`; further ones get status
  /// 503. A client that takes nothing for `idle_timeout` is dropped.
  std::size_t feeds_max = 64;
  std::chrono::milliseconds feed_interval{250};
};

/// The address and port of "127.0.0.1:8420" or "[::1]:8420", without brackets.
/// Empty: it is not of this form.
std::optional<http_options> options_to_listen(std::string_view where);

class http_server {
public:
  /// `handlers` maps exact paths, and beginnings of paths: "/api/*" is asked
  /// for all that begin with "/api/". An exact path goes before beginnings, a
  /// longer beginning before a shorter one, and handlers before `pages`, which
  /// are mapped alike. Error ec::invalid_argument: the address is malformed.
  /// Error ec::in_use: the port is taken. Error ec::io: other failures.
  static result<std::unique_ptr<http_server>>
  start(const http_options& options,
        std::map<std::string, http_handler> handlers,
        std::map<std::string, http_handler> pages = {});

  /// Stops the server: waits for a running handler and drops every connection.
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
