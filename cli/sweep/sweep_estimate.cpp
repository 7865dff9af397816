#include "cli/sweep/sweep_estimate.hpp"

#include "cli/estimate/measured_use.hpp"
#include "cli/estimate/model_prices.hpp"
#include "cli/sweep/shared_start.hpp"
#include "config/model_use.hpp"
#include "run/setup/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace brewery {

work_estimate& work_estimate::operator+=(const work_estimate& other) {
  rollouts += other.rollouts;
  documents += other.documents;
  cost_usd += other.cost_usd;
  seconds += other.seconds;
  return *this;
}

namespace {

using token_prices = std::map<std::string, token_price>;

/// The published strategy alone, without the final evaluation.
std::vector<range> rollouts_to(const std::vector<std::uint32_t>& rungs,
                               config options, const task_counts& tasks,
                               const range& concepts) {
  std::vector<range> out;
  options.search.final_evaluation = false;
  options.search.strategies.resize(1);
  for (const auto iteration : rungs) {
    options.search.iterations = iteration;
    out.push_back(count_jobs(options, tasks, concepts).rollouts());
  }
  return out;
}

work_estimate work_of(const config& options, const job_counts& jobs,
                      const token_prices& prices) {
  work_estimate out{jobs.rollouts(), jobs.integrations, {}, {}};
  for (const auto& role :
       estimate_roles(options, jobs, assumed_use(options), prices)) {
    out.cost_usd += role.cost_usd;
    out.seconds += role.seconds;
  }
  return out;
}

/// Points that begin alike. What each needs for that, and what all of them do.
struct alike {
  work_estimate each;
  job_counts most;
  config options;
  token_prices prices;
};

void subtract(range& from, const range& what) {
  from.low = std::max(0.0, from.low - what.low);
  from.high = std::max(from.low, from.high - what.high);
}

/// All points, with what those that begin alike play once.
work_estimate shared_work(const std::vector<point_estimate>& points,
                          const std::map<std::string, alike>& starts) {
  work_estimate out;
  for (const auto& point : points)
    out += point.work;
  for (const auto& [key, start] : starts) {
    const auto once = work_of(start.options, start.most, start.prices);
    for (const auto part :
         {&work_estimate::rollouts, &work_estimate::documents,
          &work_estimate::cost_usd, &work_estimate::seconds}) {
      auto saved = start.each.*part;
      subtract(saved, once.*part);
      subtract(out.*part, saved);
    }
  }
  return out;
}

} // namespace

result<sweep_estimate> estimate_sweep(const sweep_plan& plan) {
  sweep_estimate out;
  out.seeds = plan.seeds.size();
  out.halving = plan.halving;
  std::map<std::string, alike> starts;
  for (const auto& point : plan.points) {
    const auto options = options_of_run(point, plan.seeds.front(), "runs");
    const auto failed = [&](const error& why) {
      return error{why.code,
                   fmt::format("point {}: {}", point.name, why.message)};
    };
    const auto what = load_problem(options);
    if (!what) return failed(what.error());
    const auto prices = prices_by_role(options, out.unpriced);
    if (!prices) return failed(prices.error());
    const auto tasks = count_tasks(*what);
    const auto concepts = possible_concepts(options, tasks);
    out.points.push_back(
        {point.name,
         work_of(options, count_jobs(options, tasks, concepts), *prices),
         options.search.iterations});
    if (plan.halving)
      out.points.back().to_rung =
          rollouts_to(plan.halving->after, options, tasks, concepts);
    out.at_once = std::max(out.at_once, jobs_at_once(options));
    out.uses_models = out.uses_models || !models_used(options).empty();
    const auto start = shared_start_of(options, tasks, concepts);
    auto& all = starts.try_emplace(start.key, alike{{}, {}, options, *prices})
                    .first->second;
    all.each += work_of(options, start.jobs, *prices);
    keep_most(all.most, start.jobs);
  }
  out.shared = shared_work(out.points, starts);
  std::ranges::sort(out.unpriced);
  // Not that of ranges, which clang 14 cannot parse.
  out.unpriced.erase(std::unique(out.unpriced.begin(), out.unpriced.end()),
                     out.unpriced.end());
  return out;
}

} // namespace brewery
