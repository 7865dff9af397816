#pragma once
/// The least time in which some number of slots can do jobs that wait for each
/// other, in any order: no schedule is faster, and maybe none is as fast.
///
/// Three bounds, of which the largest counts. The longest chain of jobs; the
/// sum of the work by the slots; and that sum with what must stay idle at the
/// beginning and at the end. In the first s seconds no more work can be done
/// than with a slot for each job, so s * slots less that much is idle; the same
/// from the end backwards. Pure.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace brewery {

/// Seconds.
struct placed_job {
  double head = 0; ///< when it can begin at the earliest, by what it waits for
  double takes = 0;
  double tail = 0; ///< what must follow it, one after the other
};

namespace least_time_detail {

/// What the first seconds leave idle at least, by slot: at `until`, and at
/// earlier moments.
struct idle_time {
  double until = 0, seconds = 0;
};

/// The most that must be idle until each moment, when jobs begin as early as
/// they can; ascending in both.
inline std::vector<idle_time>
idle_at_first(const std::vector<std::pair<double, double>>& spans,
              double slots) {
  std::vector<std::pair<double, int>> events;
  for (const auto& [begin, end] : spans) {
    events.emplace_back(begin, 1);
    events.emplace_back(end, -1);
  }
  std::sort(events.begin(), events.end());
  double at = 0, idle = 0, running = 0;
  std::vector<idle_time> out{{}};
  for (const auto& [when, change] : events) {
    idle += (when - at) * (1 - running / slots);
    at = when;
    running += change;
    if (idle > out.back().seconds) out.push_back({at, idle});
  }
  return out;
}

} // namespace least_time_detail

inline double least_time(const std::vector<placed_job>& jobs, double slots) {
  using namespace least_time_detail;
  double work = 0, out = 0;
  std::vector<std::pair<double, double>> forwards, backwards;
  for (const auto& job : jobs) {
    work += job.takes / slots;
    out = std::max(out, job.head + job.takes + job.tail);
    forwards.emplace_back(job.head, job.head + job.takes);
    backwards.emplace_back(job.tail, job.tail + job.takes);
  }
  const auto first = idle_at_first(forwards, slots);
  const auto last = idle_at_first(backwards, slots);
  out =
      std::max({out, work + first.back().seconds, work + last.back().seconds});
  // A beginning and an end, together not longer than it takes at least.
  const auto least = out;
  auto end = last.rbegin();
  for (const auto& begin : first) {
    while (end != last.rend() && begin.until + end->until > least)
      ++end;
    if (end != last.rend())
      out = std::max(out, work + begin.seconds + end->seconds);
  }
  return out;
}

} // namespace brewery
