#include "web/live/live_answer.hpp"

#include "base/text.hpp"
#include "web/paging.hpp"
#include "web/query.hpp"

#include <fmt/format.h>

#include <chrono>

namespace brewery::web {

namespace {

using clock = std::chrono::steady_clock;
constexpr std::chrono::seconds between_beats{5};
/// A browser whose stream broke asks again then, and not after seconds.
constexpr const char* ask_again = "retry: 500\n";

result<std::uint64_t> number_of(const std::string& text) {
  if (const auto out = whole_number<std::uint64_t>(text)) return *out;
  return error{ec::invalid_argument,
               "after, or Last-Event-ID, must be the number of an event"};
}

std::string event_text(const char* name, const json& data,
                       std::uint64_t id = 0) {
  std::string out;
  if (id > 0) out = fmt::format("id: {}\n", id);
  return out + fmt::format("event: {}\ndata: {}\n\n", name, to_text(data));
}

class run_feed final : public http_feed {
public:
  run_feed(news_source from, live_request asked)
      : from_(std::move(from)), run_(std::move(asked.run)),
        after_(asked.after) {}

  std::optional<std::string> next() override {
    if (over_) return std::nullopt;
    const auto news = from_(run_, after_);
    if (!news) return std::nullopt;
    std::string out;
    if (!begun_) out += ask_again;
    if (news->to > after_ || !begun_)
      out += event_text("log", news->log, news->to);
    begun_ = true;
    after_ = news->to;
    const auto when = clock::now();
    if (!news->now.is_null()
        && (news->now != now_ || when - said_ > between_beats)) {
      now_ = news->now;
      said_ = when;
      out += event_text("now", now_);
    }
    over_ = news->now.is_null() && news->at_end;
    if (over_) out += event_text("over", json::object());
    return out;
  }

private:
  news_source from_;
  std::string run_;
  std::uint64_t after_ = 0;
  bool begun_ = false, over_ = false;
  json now_;
  clock::time_point said_{};
};

} // namespace

result<std::optional<live_request>> live_request_of(const http_request& asked) {
  const auto parts = path_parts(asked.path);
  if (!parts) return parts.error();
  constexpr std::size_t length = 4; // api, runs, ID, live
  if (parts->size() != length || (*parts)[0] != "api" || (*parts)[1] != "runs")
    return std::optional<live_request>{};
  const auto& last = parts->back();
  if (last != "live" && last != "stream") return std::optional<live_request>{};
  live_request out{(*parts)[2], 0, last == "stream"};
  const auto query = parse_query(asked.query, {"after"});
  if (!query) return query.error();
  const auto given = query->find("after");
  auto text = given == query->end() ? std::string{} : given->second;
  if (!asked.last_event_id.empty()) text = asked.last_event_id;
  if (text.empty()) return std::optional{out};
  const auto after = number_of(text);
  if (!after) return after.error();
  out.after = *after;
  return std::optional{out};
}

json news_json(const live_news& news) {
  json out{{"log", news.log}, {"at_end", news.at_end}};
  if (!news.now.is_null()) out["now"] = news.now;
  return out;
}

result<live_news> news_of(const json& answer) {
  const error strange{ec::corrupt, "the coordinator is of another version: its "
                                   "news of a run cannot be read"};
  if (!answer.is_object() || !answer.contains("log")
      || !answer["log"].is_object() || !answer["log"].contains("to")
      || !answer["log"]["to"].is_number_unsigned() || !answer.contains("at_end")
      || !answer["at_end"].is_boolean())
    return strange;
  return live_news{answer["log"], answer["log"]["to"].get<std::uint64_t>(),
                   answer["at_end"].get<bool>(),
                   answer.contains("now") ? answer["now"] : json{}};
}

std::shared_ptr<http_feed> live_feed(news_source from, live_request asked) {
  return std::make_shared<run_feed>(std::move(from), std::move(asked));
}

} // namespace brewery::web
