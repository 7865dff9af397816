#include "report/sweep/summary.hpp"

#include "base/text.hpp"
#include "llm/accounts/saturating.hpp"
#include "report/sweep/markup.hpp"
#include "report/sweep/methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace brewery::sweep_view {

point_totals totals_of(const point_figures& point) {
  point_totals out;
  for (const auto& seed : point.seeds) {
    ++out.runs;
    if (seed.state == "finished") ++out.finished;
    out.rollouts += seed.rollouts;
    out.reused += seed.rollouts - std::min(seed.rollouts, seed.played);
    out.grown.add(seed.grown);
    out.scoring.add(seed.scoring.list());
    out.saved.rollouts += seed.saved.rollouts;
    out.saved.seconds += seed.saved.seconds;
    out.saved.cost = saturating_sum(out.saved.cost, seed.saved.cost);
    out.calls += seed.calls;
    out.tokens += seed.tokens;
    out.tokens_alone += seed.tokens_alone;
    out.cost_usd += finite(seed.cost_usd).value_or(0);
    out.cost_alone_usd += finite(seed.cost_alone_usd).value_or(0);
    out.seconds += finite(seed.seconds).value_or(0);
  }
  return out;
}

point_totals totals_of(const sweep_figures& sweep) {
  point_totals all;
  all.runs = sweep.not_begun + sweep.absent.size() + sweep.unreadable;
  for (const auto& point : sweep.points) {
    const auto one = totals_of(point);
    all.runs += one.runs;
    all.finished += one.finished;
    all.rollouts += one.rollouts;
    all.reused += one.reused;
    all.calls += one.calls;
    all.tokens += one.tokens;
    all.cost_usd += one.cost_usd;
    all.seconds += one.seconds;
  }
  return all;
}

std::vector<curve_step> mean_curve(const point_figures& point) {
  struct sums {
    curve_step step;
    double train = 0;
    std::size_t trained = 0;
  };
  std::map<std::uint32_t, sums> by_iteration;
  for (const auto& seed : point.seeds) {
    std::optional<double> best;
    for (const auto& barrier : seed.curve) {
      const auto eval = finite(barrier.eval), reward = finite(barrier.reward);
      if (!eval || !reward) continue;
      best = std::max(best.value_or(*reward), *reward);
      auto& sum = by_iteration[barrier.iteration];
      ++sum.step.runs;
      sum.step.rollouts += static_cast<double>(barrier.rollouts);
      sum.step.eval += *eval;
      sum.step.reward += *reward;
      sum.step.best += *best;
      if (const auto train = finite(barrier.train)) {
        sum.train += *train;
        ++sum.trained;
      }
    }
  }
  std::vector<curve_step> out;
  for (auto& [iteration, sum] : by_iteration) {
    const auto runs = static_cast<double>(sum.step.runs);
    sum.step.iteration = iteration;
    sum.step.rollouts /= runs;
    sum.step.eval /= runs;
    sum.step.reward /= runs;
    sum.step.best /= runs;
    if (sum.trained > 0)
      sum.step.train = sum.train / static_cast<double>(sum.trained);
    out.push_back(sum.step);
  }
  return out;
}

bool costs_money(const sweep_figures& sweep) {
  return std::ranges::any_of(sweep.points, [](const point_figures& point) {
    return totals_of(point).cost_alone_usd > 0;
  });
}

double cost_per_run(const point_figures& point, bool money) {
  double sum = 0, all = 0;
  std::size_t scored = 0;
  for (const auto& seed : point.seeds) {
    const double cost = money ? finite(seed.cost_alone_usd).value_or(0)
                              : static_cast<double>(seed.rollouts);
    all += cost;
    if (!finite(seed.score)) continue;
    sum += cost;
    ++scored;
  }
  if (scored > 0) return sum / static_cast<double>(scored);
  return point.seeds.empty() ? 0
                             : all / static_cast<double>(point.seeds.size());
}

std::optional<double> value_of(const std::optional<estimate>& number) {
  if (!number || !std::isfinite(number->low) || !std::isfinite(number->high))
    return std::nullopt;
  return finite(number->value);
}

const point_figures* best_point(const sweep_figures& sweep) {
  if (benchmarks_of(sweep).size() > 1) return nullptr;
  const point_figures* out = nullptr;
  for (const auto& point : sweep.points)
    if (const auto score = value_of(point.score);
        score && (!out || *score > out->score->value))
      out = &point;
  return out;
}

} // namespace brewery::sweep_view
