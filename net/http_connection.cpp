#include "net/http_connection.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <csignal>

namespace brewery::http_parts {

using asio::ip::tcp;

namespace {

/// What the kernel holds for a client that takes nothing.
constexpr int feed_buffer_bytes = 64 * 1024;

string_response as_sent(http_response answer) {
  string_response out{http::status::ok, 11};
  out.result(answer.status);
  out.set(http::field::content_type, answer.content_type);
  for (const auto& [name, value] : answer.headers)
    out.set(name, value);
  out.body() = std::move(answer.body);
  return out;
}

string_response plain(http::status status, std::string body) {
  return as_sent(
      {.status = static_cast<unsigned>(status), .body = std::move(body)});
}

string_response busy(const std::string& what) {
  auto out = plain(http::status::service_unavailable, what + '\n');
  out.set(http::field::retry_after, "2");
  out.keep_alive(false);
  return out;
}

http_response called(const http_handler& handler, const http_request& request) {
  try {
    return handler(request);
  } catch (const std::exception& failure) {
    return {.status = 500, .body = fmt::format("error: {}\n", failure.what())};
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
template <class Name>
std::string only_one(const http::request<http::empty_body>& request,
                     Name name) {
  return request.count(name) == 1 ? std::string{request[name]} : std::string{};
}

http_request asked_by(const http::request<http::empty_body>& request) {
  std::string target{request.target()};
  auto host = only_one(request, http::field::host);
  // Asked as a proxy would be: what is named here is meant, whatever the
  // header says (RFC 9112, 3.2.2).
  constexpr std::string_view scheme = "http://";
  if (lower(target.substr(0, scheme.size())) == scheme) {
    const auto end =
        std::min(target.find_first_of("/?", scheme.size()), target.size());
    host = target.substr(scheme.size(), end - scheme.size());
    target.erase(0, end);
    if (!target.starts_with('/')) target.insert(0, "/");
  }
  const auto mark = std::min(target.find('?'), target.size());
  return {target.substr(0, mark),
          mark < target.size() ? target.substr(mark + 1) : std::string{},
          std::move(host), only_one(request, http::field::authorization),
          only_one(request, "Last-Event-ID"),
          // Not none, which may ask.
          request.count(http::field::origin) > 1
              ? "null"
              : only_one(request, http::field::origin),
          only_one(request, "Sec-Fetch-Site")};
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

} // namespace

void lane::start() {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread = std::thread{[this] { context.run(); }};
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void lane::stop() {
  context.stop();
  if (thread.joinable()) thread.join();
}

connection::connection(tcp::socket socket, service& shared)
    : stream_(std::move(socket)), service_(shared),
      pause_(stream_.get_executor()) {
  ++service_.connections;
}

connection::~connection() {
  heard();
  if (is_page_) --service_.pages_open;
  --(feed_ ? service_.feeds_open : service_.connections);
}

/// What is pending ends with an error.
void connection::close() {
  heard();
  closed_ = true;
  pause_.cancel();
  stream_.close();
}

void connection::end() {
  error_code ignored;
  stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
}

void connection::read() {
  wait_for_client();
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

void connection::wait_for_client() {
  at_ = service_.waiting.insert(service_.waiting.end(), this);
}

void connection::heard() {
  if (at_) service_.waiting.erase(*at_);
  at_.reset();
}

void connection::answer(const error_code& failed) {
  heard();
  // The client is gone or too slow: nobody to answer. Anything else is a
  // malformed request.
  if (failed && !is_protocol_error(failed)) return;
  const auto& request = parser_->get();
  head_only_ = !failed && request.method() == http::verb::head;
  // The method comes before what says that there is a body.
  const bool known = !failed || failed == http::error::body_limit;
  if (known && request.method() != http::verb::get
      && request.method() != http::verb::head) {
    auto out = plain(http::status::method_not_allowed, "only GET and HEAD\n");
    out.set(http::field::allow, "GET, HEAD");
    out.keep_alive(false);
    return respond(std::move(out));
  }
  if (failed) {
    auto refused = plain(status_of(failed), failed.message() + "\n");
    refused.keep_alive(false);
    return respond(std::move(refused));
  }
  auto asked = asked_by(request);
  if (const auto* quick = find_handler(service_.handlers, asked.path))
    return respond(as_sent(called(*quick, asked)));
  if (const auto* page = find_handler(service_.pages, asked.path))
    return ask_page(*page, std::move(asked));
  respond(plain(http::status::not_found, "no such path\n"));
}

void connection::ask_page(const http_handler& page, http_request request) {
  const auto most = std::min(service_.options.pages_max,
                             service_.options.connections_max / 2);
  if (service_.pages_open >= most)
    return respond(busy("too many pages are asked for; ask again"));
  is_page_ = true;
  ++service_.pages_open;
  asio::post(
      service_.page_lane->context,
      [self = shared_from_this(), &page, asked = std::move(request)]() mutable {
        auto made = called(page, asked);
        auto& home = *self;
        asio::post(home.stream_.get_executor(),
                   [self = std::move(self), made = std::move(made)] {
                     self->take_page(made);
                   });
      });
}

void connection::take_page(http_response made) {
  if (closed_) return;
  const bool goes_on = made.feed && !head_only_;
  if (goes_on && service_.feeds_open >= service_.options.feeds_max)
    return respond(busy("too many pages are shown live; close some"));
  if (goes_on) {
    feed_ = std::move(made.feed);
    --service_.connections;
    ++service_.feeds_open;
  }
  respond(as_sent(std::move(made)));
}

void connection::respond(string_response response) {
  response_ = std::move(response);
  // The parser knows only of a request that it has read.
  if (feed_ || (response_.keep_alive() && !parser_->keep_alive()))
    response_.keep_alive(false);
  response_.set(http::field::server, "brewery");
  if (!feed_) response_.content_length(response_.body().size());
  write();
}

void connection::write() {
  stream_.expires_after(service_.options.idle_timeout);
  if (!feed_) wait_for_client();
  auto done = [self = shared_from_this()](error_code failed, auto) {
    self->heard();
    if (std::exchange(self->is_page_, false)) --self->service_.pages_open;
    if (failed || self->closed_) return;
    if (self->feed_) return self->begin_feed();
    if (self->response_.keep_alive()) return self->read();
    self->end();
  };
  serializer_.emplace(response_);
  if (head_only_)
    http::async_write_header(stream_, *serializer_, std::move(done));
  else
    http::async_write(stream_, *serializer_, std::move(done));
}

// -- answers that go on -------------------------------------------------------

void connection::begin_feed() {
  error_code ignored;
  stream_.socket().set_option(
      asio::socket_base::send_buffer_size{feed_buffer_bytes}, ignored);
  watch_client();
  ask_feed();
}

/// A client has nothing more to say: what comes is its leaving.
void connection::watch_client() {
  stream_.socket().async_wait(tcp::socket::wait_read,
                              [self = shared_from_this()](error_code failed) {
                                if (!failed) self->close();
                              });
}

void connection::ask_feed() {
  asio::post(
      service_.feed_lane->context, [self = shared_from_this()]() mutable {
        std::optional<std::string> more;
        try {
          more = self->feed_->next();
        } catch (const std::exception&) {
          more.reset(); // the client asks again, and a page says what is wrong
        }
        auto& home = *self;
        asio::post(home.stream_.get_executor(),
                   [self = std::move(self), more = std::move(more)]() mutable {
                     self->take_feed(std::move(more));
                   });
      });
}

void connection::take_feed(std::optional<std::string> more) {
  if (closed_) return;
  if (!more) {
    end();
    return close();
  }
  if (more->empty()) return pause_feed();
  fed_ = std::move(*more);
  stream_.expires_after(service_.options.idle_timeout);
  asio::async_write(stream_, asio::buffer(fed_),
                    [self = shared_from_this()](error_code failed, auto) {
                      if (self->closed_) return;
                      if (failed) return self->close();
                      self->fed_ = {};
                      self->pause_feed();
                    });
}

void connection::pause_feed() {
  pause_.expires_after(service_.options.feed_interval);
  pause_.async_wait([self = shared_from_this()](error_code ended) {
    if (!ended && !self->closed_) self->ask_feed();
  });
}

} // namespace brewery::http_parts
