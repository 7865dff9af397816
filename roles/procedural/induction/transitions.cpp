#include "roles/procedural/induction/transitions.hpp"

#include <algorithm>

namespace brewery {

namespace {

/// Maximum number of steps of a way.
constexpr std::uint32_t max_steps = 3;

/// The reliability that each additional call must gain.
constexpr double length_cost = 0.1;

std::optional<line_number> value_in(const std::vector<line_number>& lines,
                                    const std::vector<line_number>& values) {
  for (const auto value : values)
    if (holds(lines, value)) return value;
  return std::nullopt;
}

} // namespace

transitions::transitions(const observation_evidence& observation,
                         const std::vector<line_number>& values) {
  for (const auto& row : observation.effects) {
    const auto from = value_in(row.before, values);
    const auto to = value_in(row.after, values);
    if (!from || !to) continue;
    record(*from, *to, row.actions, row);
    if (row.actions.size() != 1) continue;
    // An earlier call without visible effect may have prepared this one.
    for (const auto earlier : std::set(row.quiet.begin(), row.quiet.end()))
      record(*from, *to, {earlier, row.actions.front()}, row);
  }
}

std::map<line_number, transitions::step>
transitions::remedies(const std::set<line_number>& good,
                      double min_reliability) const {
  std::map<line_number, step> chosen;
  std::set<line_number> reached = good;
  for (std::uint32_t round = 0; round < max_steps; ++round) {
    std::set<line_number> added;
    for (const auto& [value, attempts] : from_) {
      if (reached.contains(value)) continue;
      auto next = best_step(attempts, reached, min_reliability);
      if (!next) continue;
      chosen.emplace(value, std::move(*next));
      added.insert(value);
    }
    reached.insert(added.begin(), added.end());
  }
  return chosen;
}

void transitions::record(line_number from, line_number to,
                         std::vector<line_number> calls,
                         const effect_row& row) {
  auto& entry = from_[from][std::move(calls)];
  entry.attempted += row.count;
  entry.rollouts.insert(entry.rollouts.end(), row.rollouts.begin(),
                        row.rollouts.end());
  if (from == to) return;
  auto& there = entry.arrivals[to];
  there.count += row.count;
  there.sources.push_back(row.source);
}

/// The most reliable sequence. A longer one must be clearly better, because a
/// sequence with an ineffective first call seems to work as well.
std::optional<transitions::step>
transitions::best_step(const attempts_by_calls& attempts,
                       const std::set<line_number>& reached,
                       double min_reliability) {
  std::optional<step> best;
  double best_score = 0;
  for (const auto& [calls, entry] : attempts)
    for (const auto& [to, there] : entry.arrivals) {
      if (!reached.contains(to)) continue;
      // A sequence needs more than one sighting: many occur by chance.
      const double doubt = calls.size() > 1 ? 1.0 : 0.0;
      if (there.count < min_reliability * (entry.attempted + doubt)) continue;
      // The 0.5 keeps one lucky change from beating many reliable ones.
      const double score = there.count / (entry.attempted + doubt + 0.5)
                           - length_cost * static_cast<double>(calls.size());
      if (best && score <= best_score) continue;
      best_score = score;
      best = step{calls, to, there.sources, entry.rollouts};
    }
  if (best) std::sort(best->rollouts.begin(), best->rollouts.end());
  return best;
}

} // namespace brewery
