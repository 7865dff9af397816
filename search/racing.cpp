#include "search/racing.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace brewery {

namespace {

/// A bold one wins soon where all differ, a careful one where few do.
constexpr std::array stakes{0.2, 0.4, 0.6, 0.8, 0.95};

/// A larger mu is a weaker test, and -1 would be divided by.
constexpr double least_expected = -1 + 1e-6;

double sum_of(const racer& item) {
  double out = 0;
  for (const auto& reward : item.rewards)
    out += reward.value_or(0);
  return out;
}

} // namespace

double evidence_against(const racer& item, const racer& rival,
                        std::size_t tasks) {
  const auto played = std::min(item.rewards.size(), rival.rewards.size());
  BREWERY_ASSERT(played <= tasks);
  std::array<double, stakes.size()> wealth{};
  wealth.fill(1);
  double seen = 0;
  for (std::size_t i = 0; i < played; ++i) {
    const double expected =
        std::max(-seen / static_cast<double>(tasks - i), least_expected);
    const auto &own = item.rewards[i], &other = rival.rewards[i];
    const double difference = own && other ? *other - *own : 0.0;
    for (std::size_t s = 0; s < stakes.size(); ++s)
      wealth[s] *= 1 + stakes[s] * (difference - expected) / (1 + expected);
    seen += difference;
  }
  // All that is left cannot make up for it. Sums of equals differ by rounding.
  if (seen > static_cast<double>(tasks - played) + 1e-9)
    return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const double one : wealth)
    sum += one;
  return sum / static_cast<double>(stakes.size());
}

std::vector<node_id> outrun(std::span<const racer> running, std::size_t tasks,
                            std::size_t candidates, double error) {
  BREWERY_ASSERT(candidates >= 2 && error > 0 && error < 1);
  if (running.size() < 2) return {};
  const auto leader =
      std::ranges::max_element(running, [](const racer& a, const racer& b) {
        return sum_of(a) < sum_of(b) || (sum_of(a) == sum_of(b) && a.id > b.id);
      });
  const double enough = static_cast<double>(candidates - 1) / error;
  std::vector<node_id> out;
  for (const auto& item : running)
    if (item.id != leader->id
        && std::ranges::any_of(running, [&](const racer& rival) {
             return rival.id != item.id
                    && evidence_against(item, rival, tasks) >= enough;
           }))
      out.push_back(item.id);
  return out;
}

} // namespace brewery
