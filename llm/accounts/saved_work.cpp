#include "llm/accounts/saved_work.hpp"

#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "llm/accounts/saturating.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace brewery {

namespace {

/// The roles whose models an attempt asks.
constexpr std::array<std::string_view, 4> of_attempts{
    "agent", "grounder", "user", "statement_judge"};

} // namespace

void played_work::add(const rollout_result& one) {
  if (one.reused_from.empty()) add(one.duration_us);
}

void played_work::add(std::uint64_t one_us) {
  rollouts += one_us > 0 ? 1 : 0;
  duration_us += one_us;
}

std::uint64_t rollouts_saved(const economy_counts& scoring,
                             std::size_t searches, std::uint64_t reused) {
  if (searches != 1) return reused;
  const auto pruned = scoring.of(economy::pruned);
  return reused + pruned - std::min(pruned, scoring.of(economy::resumed))
         + scoring.of(economy::raced);
}

saved_work saved_by(std::uint64_t rollouts, const played_work& played,
                    const model_spend& spend) {
  saved_work out;
  if (rollouts == 0 || played.rollouts == 0) return out;
  picodollars cost = 0;
  for (const auto& [who, line] : spend.lines)
    if (std::ranges::find(of_attempts, who.first) != of_attempts.end())
      cost = saturating_sum(cost, line.cost);
  const auto times = [rollouts](std::uint64_t of) {
    return static_cast<double>(rollouts) / static_cast<double>(of);
  };
  out.rollouts = rollouts;
  out.seconds =
      times(played.rollouts) * static_cast<double>(played.duration_us) * 1e-6;
  constexpr double cost_max = 9e18; // a larger number is no picodollars
  const auto paid =
      spend.attempts.empty() ? played.rollouts : spend.attempts.size();
  out.cost = static_cast<picodollars>(
      std::min(times(paid) * static_cast<double>(cost), cost_max));
  return out;
}

std::string saved_text(const saved_work& saved) {
  if (saved.rollouts == 0) return {};
  auto out = fmt::format(
      "{}: about {} of a worker", counted(saved.rollouts, "rollout"),
      saved.seconds < 60 ? fmt::format("{:.1f} s", saved.seconds)
                         : duration_text(saved.seconds));
  if (saved.cost > 0) out += " and " + dollars_text(saved.cost);
  return out + ", as those that were played took in the mean";
}

} // namespace brewery
