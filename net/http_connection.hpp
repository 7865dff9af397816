#pragma once
/// One client of the HTTP server, and what all of them share. Used by
/// net/http_server.cpp only; with http_connection.cpp these are the only files
/// of this library that include Boost.Beast (20 s of compiling).
///
/// Everything of a connection happens on the server's thread, but for its page
/// and its feed, which are asked on threads of their own and hand their answer
/// back. The pending operation owns the connection; without one, it is
/// destroyed.

// <utility> must come before Asio of Boost 1.74 with GCC 12.
#include "net/http_server.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <list>
#include <thread>
#include <utility>

namespace brewery::http_parts {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using string_response = http::response<http::string_body>;
using handler_map = std::map<std::string, http_handler>;

/// A thread that does what is posted to its context.
struct lane {
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{
      context.get_executor()};
  std::thread thread;

  /// Blocks all signals in the thread; another one waits for them.
  void start();
  /// Waits for what is under way. What is posted later is never done.
  void stop();
};

class connection;

/// Shared by all connections. Lives as long as the server's threads.
struct service {
  http_options options;
  handler_map handlers, pages;
  lane *page_lane = nullptr, *feed_lane = nullptr;
  std::size_t connections = 0; ///< without feeds
  std::size_t pages_open = 0;
  std::size_t feeds_open = 0;
  /// For whose clients the server waits, to ask or to take the answer; the
  /// longest waiting first. Not those of feeds.
  std::list<connection*> waiting;
};

class connection : public std::enable_shared_from_this<connection> {
public:
  connection(asio::ip::tcp::socket socket, service& shared);
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  void close();
  void read();

private:
  void wait_for_client();
  void heard();
  void answer(const error_code& failed);
  void ask_page(const http_handler& page, http_request request);
  void take_page(http_response made);
  void respond(string_response response);
  void write();
  void end();

  void begin_feed();
  void watch_client();
  void ask_feed();
  void take_feed(std::optional<std::string> more);
  void pause_feed();

  beast::tcp_stream stream_;
  service& service_;
  std::optional<std::list<connection*>::iterator> at_; ///< in `waiting`
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  string_response response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  bool head_only_ = false, is_page_ = false, closed_ = false;
  std::shared_ptr<http_feed> feed_;
  std::string fed_; ///< being sent
  asio::steady_timer pause_;
};

} // namespace brewery::http_parts
