#pragma once
/// The addresses of a run that is followed (docs/ui.md): `live`, what happened
/// since an event, and `stream`, the same as server-sent events.

#include "net/http_server.hpp"
#include "web/live/live_hub.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace brewery::web {

/// "/api/runs/ID/live?after=N", and the header Last-Event-ID before `after`.
struct live_request {
  std::string run;
  std::uint64_t after = 0;
  bool stream = false;
};

/// Empty: another address. Error ec::invalid_argument.
result<std::optional<live_request>> live_request_of(const http_request& asked);

/// Gets the news of a run since an event.
using news_source = std::function<result<live_news>(const std::string& run,
                                                    std::uint64_t after)>;

/// The news as one answer, and back.
json news_json(const live_news& news);
result<live_news> news_of(const json& answer);

/// Events `log`, each with the number of its last event as its id, so that who
/// connects again gets the rest; `now`, when the run says something new, and
/// every few seconds, so that silence is no doubt; and `over` when the run does
/// not go on and all is told. A source that fails ends it.
std::shared_ptr<http_feed> live_feed(news_source from, live_request asked);

} // namespace brewery::web
