// The only file of this library that includes Boost.Beast (20 s of compiling).
// <utility> must come before Asio of Boost 1.74 with GCC 12.
#include "net/http_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include <csignal>
#include <fcntl.h>
#include <list>
#include <optional>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace brewery {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

using handler_map = std::map<std::string, http_handler>;
using string_response = http::response<http::string_body>;

class connection;

/// Shared by all connections. Lives as long as the server's thread.
struct service {
  http_options options;
  handler_map handlers;
  std::size_t connections = 0;
  std::list<connection*> silent; ///< no request came yet; the oldest first
};

string_response plain(http::status status, std::string body) {
  string_response out{status, 11};
  out.set(http::field::content_type, "text/plain; charset=utf-8");
  out.body() = std::move(body);
  return out;
}

string_response call(const http_handler& handler, const http_request& request) {
  try {
    auto answer = handler(request);
    string_response out{http::status::ok, 11};
    out.result(answer.status);
    out.set(http::field::content_type, answer.content_type);
    for (const auto& [name, value] : answer.headers)
      out.set(name, value);
    out.body() = std::move(answer.body);
    return out;
  } catch (const std::exception& failure) {
    return plain(http::status::internal_server_error,
                 fmt::format("error: {}\n", failure.what()));
  }
}

/// The exact path, else its longest beginning "...*"; null if there is none.
const http_handler* find_handler(const handler_map& handlers,
                                 const std::string& path) {
  if (const auto exact = handlers.find(path); exact != handlers.end())
    return &exact->second;
  const http_handler* found = nullptr;
  std::size_t longest = 0;
  for (const auto& [pattern, handler] : handlers) {
    if (!pattern.ends_with('*') || pattern.size() <= longest) continue;
    if (!path.starts_with(pattern.substr(0, pattern.size() - 1))) continue;
    found = &handler;
    longest = pattern.size();
  }
  return found;
}

/// Empty unless the request has exactly one of it.
std::string only_one(const http::request<http::empty_body>& request,
                     http::field name) {
  return request.count(name) == 1 ? std::string{request[name]} : std::string{};
}

string_response route(const handler_map& handlers,
                      const http::request<http::empty_body>& request) {
  if (request.method() != http::verb::get
      && request.method() != http::verb::head) {
    auto out = plain(http::status::method_not_allowed, "only GET and HEAD\n");
    out.set(http::field::allow, "GET, HEAD");
    out.keep_alive(false);
    return out;
  }
  const std::string target{request.target()};
  const auto mark = std::min(target.find('?'), target.size());
  const auto path = target.substr(0, mark);
  const auto* handler = find_handler(handlers, path);
  if (!handler) return plain(http::status::not_found, "no such path\n");
  return call(*handler,
              {path,
               mark < target.size() ? target.substr(mark + 1) : std::string{},
               only_one(request, http::field::host),
               only_one(request, http::field::authorization)});
}

/// The status for a request that cannot be read. The connection then closes.
http::status status_of(const error_code& failed) {
  if (failed == http::error::header_limit)
    return http::status::request_header_fields_too_large;
  if (failed == http::error::body_limit) return http::status::payload_too_large;
  return http::status::bad_request;
}

bool is_protocol_error(const error_code& failed) {
  static const auto& protocol =
      http::make_error_code(http::error::bad_method).category();
  return failed.category() == protocol && failed != http::error::end_of_stream;
}

/// One client. The pending operation owns it; without one, it is destroyed.
class connection : public std::enable_shared_from_this<connection> {
public:
  connection(tcp::socket socket, service& shared)
      : stream_(std::move(socket)), service_(shared) {
    ++service_.connections;
  }
  ~connection() {
    heard();
    --service_.connections;
  }

  void close() {
    heard();
    stream_.close(); // what is pending ends with an error
  }

  void read() {
    at_ = service_.silent.insert(service_.silent.end(), this);
    parser_.emplace();
    parser_->header_limit(service_.options.header_bytes_max);
    parser_->body_limit(0);
    // One deadline for the whole request: sending a byte now and then does not
    // extend it.
    stream_.expires_after(service_.options.idle_timeout);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code failed, auto) {
                       self->answer(failed);
                     });
  }

private:
  void heard() {
    if (at_) service_.silent.erase(*at_);
    at_.reset();
  }

  void answer(const error_code& failed) {
    heard();
    if (!failed) {
      response_ = route(service_.handlers, parser_->get());
      if (!parser_->keep_alive()) response_.keep_alive(false);
      write(parser_->get().method() == http::verb::head);
      return;
    }
    // The client is gone or too slow: nobody to answer. Anything else is a
    // malformed request.
    if (!is_protocol_error(failed)) return;
    response_ = plain(status_of(failed), failed.message() + "\n");
    response_.keep_alive(false);
    write(false);
  }

  void write(bool head_only) {
    response_.set(http::field::server, "brewery");
    response_.content_length(response_.body().size());
    stream_.expires_after(service_.options.idle_timeout);
    auto done = [self = shared_from_this()](error_code failed, auto) {
      if (!failed && self->response_.keep_alive()) return self->read();
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    };
    serializer_.emplace(response_);
    if (head_only)
      http::async_write_header(stream_, *serializer_, std::move(done));
    else
      http::async_write(stream_, *serializer_, std::move(done));
  }

  beast::tcp_stream stream_;
  service& service_;
  std::optional<std::list<connection*>::iterator> at_; ///< in `silent`
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  string_response response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
};

void close_on_exec(int fd) {
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/// Whether there is room for one more connection, if need be instead of a
/// silent one.
bool make_room(service& shared) {
  if (shared.connections < shared.options.connections_max) return true;
  if (shared.silent.empty()) return false;
  shared.silent.front()->close();
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

/// Blocks all signals in this thread; another thread waits for them.
std::thread start_thread(asio::io_context& context) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread{[&context] { context.run(); }};
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

} // namespace

// Members are destroyed in reverse order. By then the thread has ended. The
// context destroys pending connections, which still refer to `shared`.
struct http_server::state {
  service shared;
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::steady_timer pause{context};
  std::uint16_t port = 0;
  std::thread thread;
};

http_server::http_server(std::unique_ptr<state> started)
    : state_(std::move(started)) {}

http_server::~http_server() {
  state_->context.stop();
  state_->thread.join();
}

std::uint16_t http_server::port() const {
  return state_->port;
}

result<std::unique_ptr<http_server>>
http_server::start(const http_options& options, handler_map handlers) {
  auto started = std::make_unique<state>();
  started->shared.options = options;
  started->shared.handlers = std::move(handlers);
  auto acceptor = listen(started->context, options);
  if (!acceptor) return acceptor.error();
  started->acceptor = *std::move(acceptor);
  started->port = started->acceptor.local_endpoint().port();
  accept_next(started->acceptor, started->pause, started->shared);
  started->thread = start_thread(started->context);
  return std::unique_ptr<http_server>{new http_server{std::move(started)}};
}

} // namespace brewery
