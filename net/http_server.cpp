#include "base/text.hpp"
#include "net/http_connection.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/socket.h>

namespace brewery {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using http_parts::connection;
using http_parts::lane;
using http_parts::service;

void close_on_exec(int fd) {
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/// Whether there is room for one more connection, if need be instead of one
/// whose client has nothing to say or takes nothing.
bool make_room(service& shared) {
  if (shared.connections < shared.options.connections_max) return true;
  if (shared.waiting.empty()) return false;
  shared.waiting.front()->close();
  return true;
}

/// Accepts until the context stops.
void accept_next(tcp::acceptor& acceptor, asio::steady_timer& pause,
                 service& shared) {
  acceptor.async_accept([&](error_code failed, tcp::socket socket) {
    if (failed == asio::error::operation_aborted) return;
    if (failed && failed != asio::error::connection_aborted) {
      // Mostly without descriptors or memory. The client still waits, so the
      // next try would fail at once.
      pause.expires_after(std::chrono::milliseconds{200});
      return pause.async_wait([&](error_code ended) {
        if (!ended) accept_next(acceptor, pause, shared);
      });
    }
    // A client that has left: continue with the next.
    if (!failed && make_room(shared)) {
      close_on_exec(socket.native_handle());
      // Header and body are two writes. Nagle's algorithm would cost 40 ms.
      socket.set_option(tcp::no_delay(true), failed);
      std::make_shared<connection>(std::move(socket), shared)->read();
    }
    accept_next(acceptor, pause, shared);
  });
}

/// Close-on-exec: child processes of environments must not inherit the port.
result<tcp::acceptor> listen(asio::io_context& context,
                             const http_options& options) {
  error_code failed;
  const auto address = asio::ip::make_address(options.address, failed);
  if (failed)
    return error{ec::invalid_argument,
                 fmt::format("http server: '{}' is not an IP address; use e.g. "
                             "127.0.0.1",
                             options.address)};
  const tcp::endpoint endpoint{address, options.port};
  tcp::acceptor acceptor{context};
  const int fd =
      ::socket(endpoint.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    failed = error_code{errno, boost::system::system_category()};
  else
    acceptor.assign(endpoint.protocol(), fd, failed);
  if (!failed)
    acceptor.set_option(asio::socket_base::reuse_address(true), failed);
  if (!failed) acceptor.bind(endpoint, failed);
  if (!failed)
    acceptor.listen(asio::socket_base::max_listen_connections, failed);
  if (!failed) return acceptor;
  return error{failed == asio::error::address_in_use ? ec::in_use : ec::io,
               fmt::format("http server: cannot listen on {} port {}: {}; "
                           "choose another port, or 0 for any free one",
                           options.address, options.port, failed.message())};
}

} // namespace

std::optional<http_options> options_to_listen(std::string_view where) {
  const auto colon = where.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  http_options out;
  const auto port = whole_number<std::uint16_t>(where.substr(colon + 1));
  if (!port) return std::nullopt;
  out.port = *port;
  auto address = where.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']'))
    address = address.substr(1, address.size() - 2);
  if (address.empty()) return std::nullopt;
  out.address = address;
  return out;
}

// Members are destroyed in reverse order. By then the threads have ended. The
// contexts destroy what is posted to them, and with it the last owners of
// pending connections, which still refer to `shared` and to `main`.
struct http_server::state {
  service shared;
  lane main;
  lane pages, feeds;
  tcp::acceptor acceptor{main.context};
  asio::steady_timer pause{main.context};
  std::uint16_t port = 0;

  void end() {
    for (auto* one : {&pages, &feeds, &main})
      one->stop();
  }
};

http_server::http_server(std::unique_ptr<state> started)
    : state_(std::move(started)) {}

http_server::~http_server() {
  state_->end();
}

std::uint16_t http_server::port() const {
  return state_->port;
}

result<std::unique_ptr<http_server>>
http_server::start(const http_options& options,
                   std::map<std::string, http_handler> handlers,
                   std::map<std::string, http_handler> pages) {
  auto started = std::make_unique<state>();
  auto& shared = started->shared;
  shared.options = options;
  shared.handlers = std::move(handlers);
  shared.pages = std::move(pages);
  shared.page_lane = &started->pages;
  shared.feed_lane = &started->feeds;
  auto acceptor = listen(started->main.context, options);
  if (!acceptor) return acceptor.error();
  started->acceptor = *std::move(acceptor);
  started->port = started->acceptor.local_endpoint().port();
  accept_next(started->acceptor, started->pause, shared);
  started->main.start();
  if (!shared.pages.empty()) {
    started->pages.start();
    started->feeds.start();
  }
  return std::unique_ptr<http_server>{new http_server{std::move(started)}};
}

} // namespace brewery
