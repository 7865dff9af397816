#include "web/live/live_hub.hpp"

#include "run/live/live_file.hpp"

#include <fmt/format.h>

namespace brewery::web {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t runs_max = 64;
/// However many pages follow a run, its log is looked at that often.
constexpr auto between_reads = 200ms;
/// A log that is opened is read a part at a time, so that nobody waits long.
constexpr std::size_t events_max = 4000;
/// Nobody asks any more.
constexpr auto forgotten_after = 60s;
/// The run's process writes every two seconds. One that is slower was stopped
/// or killed, or its machine sleeps.
constexpr auto silent_after = 15s;

/// Null: the run does not go on.
json state_of(const run_directory& run) {
  auto now = read_live(run.path());
  if (!now) return nullptr;
  const std::chrono::milliseconds at{(*now)["at_ms"].get<std::int64_t>()};
  const auto age = std::chrono::system_clock::now().time_since_epoch() - at;
  if (age > silent_after) return nullptr;
  return std::move(*now);
}

} // namespace

result<live_hub::followed*> live_hub::find(const std::string& run,
                                           clock::time_point when) {
  if (const auto known = runs_.find(run); known != runs_.end())
    return &known->second;
  const auto where = shelf_.find(run);
  if (!where) return where.error();
  std::erase_if(runs_, [&](const auto& one) {
    return when - one.second.asked > forgotten_after;
  });
  if (runs_.size() >= runs_max)
    return error{ec::exhausted,
                 fmt::format("{} runs are followed, and more cannot be; close "
                             "some pages",
                             runs_max)};
  return &runs_.emplace(run, followed{run_tail{*where}, {}, {}, {}})
              .first->second;
}

result<live_news> live_hub::since(const std::string& run, std::uint64_t after) {
  const std::lock_guard lock{mutex_};
  const auto when = clock::now();
  const auto found = find(run, when);
  if (!found) return found.error();
  auto& [tail, read, asked, now] = **found;
  asked = when;
  if (read == clock::time_point{} || when - read >= between_reads
      || !tail.at_end()) {
    // Before the log: what ends while it is read is not missed.
    now = state_of(tail.run());
    if (auto ok = tail.extend(events_max); !ok) return ok.error();
    read = clock::now();
  }
  return live_news{tail.since(after), tail.seen(), tail.at_end(), now};
}

} // namespace brewery::web
