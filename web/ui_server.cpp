#include "web/ui_server.hpp"

#include "web/api.hpp"
#include "web/page_files.hpp"
#include "web/paging.hpp"
#include "web/screenshot_answer.hpp"

#include <fmt/format.h>

namespace brewery::web {

namespace {

/// Nothing from elsewhere is loaded or run, nobody frames the page, and what is
/// a text is never taken for a script.
http_response with_policy(http_response answer) {
  answer.headers.insert(
      answer.headers.end(),
      {{"Content-Security-Policy",
        "default-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"},
       {"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cross-Origin-Resource-Policy", "same-origin"},
       {"Cache-Control", "no-store"}});
  return answer;
}

http_response stream_of(const news_source& news, live_request asked) {
  http_response out{200, "text/event-stream", {}};
  out.headers = {{"X-Accel-Buffering", "no"}}; // of a proxy
  out.feed = live_feed(news, std::move(asked));
  return out;
}

} // namespace

ui_source local_source(run_shelf shelf) {
  const auto hub = std::make_shared<live_hub>(shelf);
  const auto runs = std::make_shared<run_shelf>(std::move(shelf));
  const auto news = [hub](const std::string& run, std::uint64_t after) {
    return hub->since(run, after);
  };
  return {[runs, news](const http_request& request) -> http_response {
            const auto live = live_request_of(request);
            if (!live) return error_answer(live.error());
            if (auto image = screenshot_answer(*runs, request))
              return *std::move(image);
            if (!*live) return api_answer(*runs, request);
            const auto made = news((*live)->run, (*live)->after);
            if (!made) return error_answer(made.error());
            return {200, "application/json", to_text(news_json(*made)) + '\n'};
          },
          news};
}

ui_site::ui_site(const ui_options& options, ui_source source)
    : source_(std::move(source)), port_(options.http.port),
      loopback_(is_loopback(options.http.address)), token_(options.token) {}

result<std::shared_ptr<ui_site>> ui_site::make(const ui_options& options,
                                               ui_source source) {
  const auto& address = options.http.address;
  if (!is_loopback(address) && options.token.empty())
    return error{ec::invalid_argument,
                 fmt::format("{} can be reached by others: give a token, by "
                             "--token-file FILE or in BREWERY_UI_TOKEN",
                             address)};
  if (!options.token.empty())
    if (auto ok = can_be_token(options.token); !ok) return ok.error();
  return std::shared_ptr<ui_site>{new ui_site{options, std::move(source)}};
}

http_response ui_site::page(const http_request& request) {
  if (auto refused = refusal_of({port_, loopback_, token_}, request))
    return *std::move(refused);
  if (!request.path.starts_with("/api/")) return page_file(request.path);
  const auto live = live_request_of(request);
  if (live && *live && (*live)->stream) {
    // What cannot be followed says so, which a stream could not.
    const auto first = source_.answer(request);
    if (first.status != 200) return first;
    return stream_of(source_.news, **live);
  }
  return source_.answer(request);
}

http_response ui_site::answer(const http_request& request) {
  return with_policy(page(request));
}

result<std::unique_ptr<http_server>>
start_ui(const http_options& options, const std::shared_ptr<ui_site>& site) {
  auto server = http_server::start(
      options, {},
      {{"/*", [site](const auto& request) { return site->answer(request); }}});
  if (server) site->set_port((*server)->port());
  return server;
}

} // namespace brewery::web
