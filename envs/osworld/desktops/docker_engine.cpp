// <utility> must come before Asio of Boost 1.74 with GCC 12.
#include "envs/osworld/desktops/docker_engine.hpp"

#include "base/printable.hpp"
#include "messages/json.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
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
using unix_stream = beast::basic_stream<asio::local::stream_protocol>;

constexpr std::size_t daemon_reply_max = std::size_t{16} << 20;
constexpr std::size_t daemon_words_max = 300;
constexpr const char* engine_version = "/v1.41";

struct answer {
  error_code failed;
  bool connected = false;
  unsigned status = 0;
  std::string body;
};

answer ask_daemon(const std::string& socket, std::chrono::milliseconds deadline,
                  http::request<http::string_body>& request) {
  answer out;
  asio::io_context loop{1};
  unix_stream stream{loop};
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(daemon_reply_max);
  stream.expires_after(deadline);
  stream.async_connect(
      asio::local::stream_protocol::endpoint{socket},
      [&](const error_code& refused) {
        if ((out.failed = refused)) return;
        out.connected = true;
        http::async_write(
            stream, request, [&](const error_code& cut, std::size_t) {
              if ((out.failed = cut)) return;
              http::async_read(stream, buffer, parser,
                               [&](const error_code& late, std::size_t) {
                                 out.failed = late;
                               });
            });
      });
  loop.run();
  if (!out.failed) {
    out.status = parser.get().result_int();
    out.body = std::move(parser.get().body());
  }
  return out;
}

/// {"message": "..."} in every error of the daemon.
std::string daemon_said(const std::string& body) {
  const auto read = json::parse(body, nullptr, false);
  const auto text = read.is_object() && read.contains("message")
                            && read["message"].is_string()
                        ? read["message"].get<std::string>()
                        : body;
  return single_line(text, daemon_words_max);
}

} // namespace

result<json> docker_engine::ask(const std::string& method,
                                const std::string& path,
                                const json& body) const {
  http::request<http::string_body> request{http::string_to_verb(method),
                                           engine_version + path, 11};
  request.set(http::field::host, "docker");
  request.set(http::field::connection, "close");
  if (!body.is_null()) {
    request.set(http::field::content_type, "application/json");
    request.body() = body.dump();
  }
  request.prepare_payload();
  auto got = ask_daemon(socket_.string(), deadline_, request);
  const auto doing =
      fmt::format("docker at {}: {} {}", socket_.string(), method, path);
  if (got.failed && !got.connected)
    return error{ec::exhausted,
                 fmt::format("{}: {}; is the daemon running, and "
                             "may this user use it?",
                             doing, got.failed.message())};
  if (got.failed)
    return error{ec::environment,
                 fmt::format("{}: {}", doing,
                             got.failed == beast::error::timeout
                                 ? "no reply in time"
                                 : got.failed.message())};
  if (got.status >= 400)
    return error{got.status == 404 ? ec::not_found : ec::environment,
                 fmt::format("{}: status {}: {}", doing, got.status,
                             daemon_said(got.body))};
  if (got.body.empty()) return json(nullptr);
  auto read = json::parse(got.body, nullptr, false);
  if (read.is_discarded())
    return error{ec::environment, doing + ": the reply is not JSON"};
  return read;
}

} // namespace brewery::osworld
