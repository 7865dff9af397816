#include "cli/operator/remote_pages.hpp"

#include "base/encodings.hpp"
#include "base/printable.hpp"
#include "cli/operator/operator_client.hpp"
#include "web/api.hpp"

#include <fmt/format.h>

#include <memory>
#include <string_view>

namespace brewery {

namespace {

/// An answer that is not there yet is asked for again by the page.
constexpr double patience_s = 10;

constexpr std::size_t type_bytes_shown = 60; ///< of a type that none is

/// What addresses below /api/ answer with. A page or a script of a coordinator
/// would be one of this origin.
bool is_of_pages(std::uint64_t status, std::string_view type) {
  constexpr std::uint64_t first = 200, last = 599;
  return status >= first && status <= last
         && (type == "application/json" || type == "image/png"
             || type == "text/plain; charset=utf-8");
}

/// One thread's connection.
class page_client {
public:
  explicit page_client(operator_client wire) : wire_(std::move(wire)) {}

  http_response get(const std::string& path, const std::string& query) {
    auto reply = wire_.ask("page", {{"path", path}, {"query", query}},
                           operator_client::sending::repeat);
    if (!reply) return bad_gateway(reply.error().message);
    const auto head = json::parse(reply->body, nullptr, false);
    if (!head.is_object() || !head.contains("status")
        || !head["status"].is_number_unsigned() || !head.contains("type")
        || !head["type"].is_string())
      return bad_gateway("the coordinator is of another version: its page "
                         "cannot be read");
    const auto status = head["status"].get<std::uint64_t>();
    auto type = head["type"].get<std::string>();
    if (!is_of_pages(status, type))
      return bad_gateway(
          fmt::format("the coordinator's page has status {} and type \"{}\", "
                      "which no page has: is it a coordinator of yours?",
                      status, ascii_line(type, type_bytes_shown)));
    return {static_cast<unsigned>(status), std::move(type),
            std::move(reply->content)};
  }

private:
  static http_response bad_gateway(std::string why) {
    auto out = web::error_answer({ec::io, std::move(why)});
    constexpr unsigned status = 502;
    out.status = status;
    return out;
  }

  operator_client wire_;
};

result<std::shared_ptr<page_client>> open(const connection_arguments& where) {
  auto wire = operator_client::open(where);
  if (!wire) return wire.error();
  return std::make_shared<page_client>(std::move(*wire));
}

} // namespace

result<web::ui_source> remote_source(connection_arguments where) {
  where.patience_s = patience_s;
  const auto pages = open(where);
  if (!pages) return pages.error();
  const auto streams = open(where);
  if (!streams) return streams.error();
  const auto first = (*pages)->get("/api/runs", "limit=1");
  if (first.status != 200) {
    const auto said = json::parse(first.body, nullptr, false);
    return error{ec::io, said.is_object() && said.contains("error")
                                 && said["error"].is_string()
                             ? said["error"].get<std::string>()
                             : first.body};
  }
  return web::ui_source{
      [client = *pages](const http_request& request) {
        auto query = request.query;
        if (!request.last_event_id.empty())
          query = "after=" + percent_encoded(request.last_event_id);
        return client->get(request.path, query);
      },
      [client = *streams](const std::string& run,
                          std::uint64_t after) -> result<web::live_news> {
        // A run of a sweep has a "/" in its id.
        const auto made =
            client->get(fmt::format("/api/runs/{}/live", percent_encoded(run)),
                        fmt::format("after={}", after));
        if (made.status != 200) return error{ec::io, made.body};
        return web::news_of(json::parse(made.body, nullptr, false));
      }};
}

} // namespace brewery
