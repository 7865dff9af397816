#include "web/ui_server.hpp"

#include "web/api.hpp"
#include "web/page_files.hpp"

#include <fmt/format.h>

#include <atomic>

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

/// Lives as long as the handlers. Only the server's thread uses the shelf.
struct ui_state {
  ui_state(run_shelf runs, std::uint16_t known, bool near, std::string word)
      : shelf(std::move(runs)), port(known), loopback(near),
        token(std::move(word)) {}

  run_shelf shelf;
  std::atomic<std::uint16_t> port{0}; ///< known once the server listens
  bool loopback;
  std::string token;
};

http_response answer(ui_state& state, const http_request& request) {
  if (auto refused =
          refusal_of({state.port, state.loopback, state.token}, request))
    return *std::move(refused);
  if (request.path.starts_with("/api/"))
    return api_answer(state.shelf, request);
  return page_file(request.path);
}

} // namespace

result<std::unique_ptr<http_server>> start_ui(const ui_options& options,
                                              run_shelf shelf) {
  const bool loopback = is_loopback(options.http.address);
  if (!loopback && options.token.empty())
    return error{ec::invalid_argument,
                 fmt::format("{} can be reached by others: give a token, by "
                             "--token-file FILE or in BREWERY_UI_TOKEN",
                             options.http.address)};
  if (!options.token.empty())
    if (auto ok = can_be_token(options.token); !ok) return ok.error();
  auto state = std::make_shared<ui_state>(std::move(shelf), options.http.port,
                                          loopback, options.token);
  auto server = http_server::start(
      options.http, {{"/*", [state](const http_request& request) {
                        return with_policy(answer(*state, request));
                      }}});
  if (server) state->port = (*server)->port();
  return server;
}

} // namespace brewery::web
