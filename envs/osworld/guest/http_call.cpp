// <utility> must come before Asio of Boost 1.74 with GCC 12.
#include "envs/osworld/guest/http_call.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>

#include <utility>

namespace brewery::osworld {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr std::size_t header_bytes_most = 65'536;
constexpr std::size_t unread_bytes_most = 2 * header_bytes_most;

/// The callbacks of one request; each starts the next.
class one_exchange {
public:
  one_exchange(const http_target& server, const http_question& question,
               const http_bounds& bounds)
      : server_(server), bounds_(bounds), resolver_(loop_), stream_(loop_) {
    const auto verb = http::string_to_verb(question.method);
    request_ = {verb, question.path, 11};
    // Chromium refuses names other than localhost here, but takes addresses.
    request_.set(http::field::host,
                 fmt::format("{}:{}", server.host, server.port));
    request_.set(http::field::user_agent, "brewery/" BREWERY_VERSION);
    request_.set(http::field::connection, "close");
    if (!server.token.empty())
      request_.set(http::field::authorization,
                   "Bearer " + server.token.reveal());
    else if (!question.authorization.empty())
      request_.set(http::field::authorization, question.authorization);
    if (!question.content_type.empty()) {
      request_.set(http::field::content_type, question.content_type);
      request_.body() = question.body;
    }
    request_.prepare_payload();
    parser_.body_limit(bounds.reply_bytes_most);
    parser_.header_limit(header_bytes_most);
  }

  http_answer run() {
    stream_.expires_after(bounds_.deadline);
    error_code no_address;
    const auto address = asio::ip::make_address(server_.host, no_address);
    if (!no_address)
      connect({tcp::endpoint{address, server_.port}});
    else
      resolve();
    // The stream's timer does not cover the look-up of a name.
    loop_.run_for(bounds_.deadline + std::chrono::milliseconds{500});
    if (!ended_) {
      answer_.late = true;
      answer_.what = late_text();
    }
    return std::move(answer_);
  }

private:
  [[nodiscard]] std::string late_text() const {
    return fmt::format("no whole reply within {} ms", bounds_.deadline.count());
  }

  void end(const error_code& failed, std::string_view doing) {
    ended_ = true;
    answer_.late = failed == beast::error::timeout;
    answer_.what = answer_.late
                       ? late_text()
                       : fmt::format("{}: {}", doing, failed.message());
  }

  void resolve() {
    resolver_.async_resolve(server_.host, std::to_string(server_.port),
                            [this](const error_code& failed,
                                   const tcp::resolver::results_type& at) {
                              if (failed)
                                return end(failed, "cannot look up the name");
                              std::vector<tcp::endpoint> found;
                              for (const auto& entry : at)
                                found.push_back(entry.endpoint());
                              connect(std::move(found));
                            });
  }

  void connect(std::vector<tcp::endpoint> to) {
    endpoints_ = std::move(to);
    stream_.async_connect(endpoints_,
                          [this](const error_code& failed, const auto&) {
                            if (failed) return end(failed, "cannot connect");
                            send();
                          });
  }

  void send() {
    answer_.end = call_end::ambiguous;
    http::async_write(stream_, request_,
                      [this](const error_code& failed, std::size_t) {
                        // A server may answer before it has read everything.
                        write_failed_ = failed;
                        read_head();
                      });
  }

  void read_head() {
    http::async_read_header(stream_, buffer_, parser_,
                            [this](const error_code& failed, std::size_t) {
                              if (failed)
                                return write_failed_ ? end(write_failed_,
                                                           "while it was sent")
                                                     : end(failed, "no reply");
                              // Beast 1.74 would allocate a length over the
                              // limit before it refuses it.
                              const auto length = parser_.content_length();
                              if (length && *length > bounds_.reply_bytes_most)
                                return too_large();
                              read_body();
                            });
  }

  void read_body() {
    http::async_read(stream_, buffer_, parser_,
                     [this](const error_code& failed, std::size_t) {
                       if (failed == http::error::body_limit
                           || failed == http::error::buffer_overflow)
                         return too_large();
                       if (failed) return end(failed, "the reply is cut off");
                       replied();
                     });
  }

  void too_large() {
    ended_ = true;
    answer_.what = fmt::format("the reply has more than {} bytes",
                               bounds_.reply_bytes_most);
  }

  void replied() {
    ended_ = true;
    auto& message = parser_.get();
    answer_.end = call_end::replied;
    answer_.status = message.result_int();
    answer_.content_type = std::string{message[http::field::content_type]};
    answer_.body = std::move(message.body());
  }

  const http_target& server_;
  const http_bounds& bounds_;
  asio::io_context loop_{1};
  tcp::resolver resolver_;
  beast::tcp_stream stream_;
  std::vector<tcp::endpoint> endpoints_;
  http::request<http::string_body> request_;
  /// Bounded, because the parser is not where a line never ends.
  beast::flat_buffer buffer_{unread_bytes_most};
  http::response_parser<http::string_body> parser_;
  error_code write_failed_;
  http_answer answer_;
  bool ended_ = false;
};

} // namespace

http_answer http_call(const http_target& server, const http_question& question,
                      const http_bounds& bounds) {
  one_exchange exchange{server, question, bounds};
  return exchange.run();
}

} // namespace brewery::osworld
