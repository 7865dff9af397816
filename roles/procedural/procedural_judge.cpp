#include "roles/procedural/procedural_judge.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery {

namespace {

rubric_rating ratio(const char* rubric, std::size_t good, std::size_t all,
                    const char* what) {
  const double score =
      all == 0 ? 1.0 : static_cast<double>(good) / static_cast<double>(all);
  return {rubric, score, fmt::format("{} of {} {}", good, all, what)};
}

} // namespace

result<std::vector<rubric_rating>>
procedural_judge::rate(const graded_attempt& attempt, job_context&) const {
  std::size_t changes = 0, observed_before = 0, verified = 0, failed = 0,
              repeated = 0;
  bool observed = false, pending = false;
  std::set<std::string> since_change;
  for (const auto& step : attempt.steps) {
    failed += step.failed ? 1 : 0;
    if (step.mutates) {
      ++changes;
      observed_before += observed ? 1 : 0;
      observed = false;
      pending = true;
      since_change.clear();
      continue;
    }
    observed = true;
    if (pending) ++verified;
    pending = false;
    // A repeated observation without a change in between shows nothing new.
    if (!since_change.insert(step.tool + step.arguments).second) ++repeated;
  }
  const auto steps = attempt.steps.size();
  return std::vector{
      ratio("looks before changing", observed_before, changes,
            "changing calls follow a look"),
      ratio("verifies after changing", verified, changes,
            "changing calls are followed by a look"),
      ratio("makes valid calls", steps - failed, steps, "calls were accepted"),
      ratio("does not repeat itself", steps - repeated, steps,
            "calls were not idle repetitions")};
}

} // namespace brewery
