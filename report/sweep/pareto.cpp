#include "report/sweep/pareto.hpp"

#include <algorithm>
#include <numeric>

namespace brewery::sweep_view {

std::vector<bool> pareto_front(std::span<const cost_and_score> points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return points[a].cost != points[b].cost ? points[a].cost < points[b].cost
                                            : points[a].score > points[b].score;
  });
  std::vector<bool> out(points.size(), false);
  const cost_and_score* last = nullptr; // the front's dearest so far
  for (const auto i : order) {
    const auto& point = points[i];
    const bool equal =
        last && point.cost == last->cost && point.score == last->score;
    if (last && !equal && point.score <= last->score) continue;
    out[i] = true;
    last = &point;
  }
  return out;
}

} // namespace brewery::sweep_view
