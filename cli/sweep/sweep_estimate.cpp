#include "cli/sweep/sweep_estimate.hpp"

#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "cli/estimate/measured_use.hpp"
#include "cli/terminal.hpp"
#include "run/setup/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace brewery {

namespace {

/// Without a measured run: from few concepts to one per other train task.
constexpr double few_concepts = 3;

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

} // namespace

result<std::vector<point_estimate>> estimates(const sweep_plan& plan) {
  std::vector<point_estimate> out;
  for (const auto& point : plan.points) {
    const auto options = options_of_run(point, plan.seeds.front(), "runs");
    const auto what = load_problem(options);
    if (!what)
      return error{what.error().code, fmt::format("point {}: {}", point.name,
                                                  what.error().message)};
    const auto tasks = count_tasks(*what);
    range concepts{few_concepts,
                   std::max(few_concepts,
                            std::ceil(static_cast<double>(tasks.train) / 2))};
    if (const double most = options.search.max_concepts; most > 0)
      concepts = {std::min(concepts.low, most), std::min(concepts.high, most)};
    const auto jobs = count_jobs(options, tasks, concepts);
    out.push_back({point.name, jobs.rollouts(), jobs.integrations,
                   options.search.iterations});
    if (plan.halving)
      out.back().to_rung =
          rollouts_to(plan.halving->after, options, tasks, concepts);
  }
  return out;
}

namespace {

std::string range_text(const range& value) {
  const auto low = std::llround(value.low), high = std::llround(value.high);
  return low == high ? fmt::format("{}", low)
                     : fmt::format("{} to {}", low, high);
}

range sum_over(const std::vector<point_estimate>& points, std::size_t seeds,
               range point_estimate::*what) {
  range out;
  for (const auto& point : points)
    out += point.*what;
  const auto runs = static_cast<double>(seeds);
  return out * range{runs, runs};
}

/// What halving leaves of the runs: least if the points that would play least
/// go on, most if those that would play most do.
struct halved {
  range rollouts;
  double iterations = 0; ///< at most
};

/// Rollouts and iterations of a point in one stretch.
struct stretch_cost {
  double low = 0, high = 0, iterations = 0;
};

stretch_cost cost_in(const point_estimate& point, const halving_plan& halving,
                     std::size_t stretch) {
  const bool last = stretch == halving.after.size();
  const auto& end = last ? point.rollouts : point.to_rung[stretch];
  const auto iterations = last ? point.iterations : halving.after[stretch];
  if (stretch == 0) return {end.low, end.high, 1.0 * iterations};
  const auto& begin = point.to_rung[stretch - 1];
  return {std::max(0.0, end.low - begin.low),
          std::max(0.0, end.high - begin.high),
          1.0 * iterations - halving.after[stretch - 1]};
}

double sum_of_most(std::vector<double> values, std::size_t count) {
  std::ranges::sort(values, std::greater{});
  values.resize(count);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

halved halved_by(const std::vector<point_estimate>& points, std::size_t seeds,
                 const halving_plan& halving) {
  halved out;
  const auto playing = points_by_stretch(points.size(), halving);
  for (std::size_t i = 0; i < playing.size(); ++i) {
    std::vector<double> low, high, iterations;
    for (const auto& point : points) {
      const auto cost = cost_in(point, halving, i);
      low.push_back(-cost.low);
      high.push_back(cost.high);
      iterations.push_back(cost.iterations);
    }
    out.rollouts +=
        {-sum_of_most(low, playing[i]), sum_of_most(high, playing[i])};
    out.iterations += sum_of_most(iterations, playing[i]);
  }
  const auto runs = static_cast<double>(seeds);
  return {out.rollouts * range{runs, runs}, out.iterations * runs};
}

double iterations_of(const std::vector<point_estimate>& points,
                     std::size_t seeds) {
  double out = 0;
  for (const auto& point : points)
    out += point.iterations;
  return out * static_cast<double>(seeds);
}

std::string halving_text(const std::vector<point_estimate>& points,
                         std::size_t seeds, const halving_plan& halving) {
  const auto playing = points_by_stretch(points.size(), halving);
  std::string out = "Halving    ";
  for (std::size_t i = 0; i < halving.after.size(); ++i)
    out += fmt::format("{} to iteration {}, ",
                       i == 0 ? counted(playing[i], "point")
                              : std::to_string(playing[i]),
                       halving.after[i]);
  const auto left = halved_by(points, seeds, halving);
  return out
         + fmt::format("{} to the end: {:.0f} of {:.0f} iterations of runs, "
                       "{} rollouts\n",
                       playing.back(), left.iterations,
                       iterations_of(points, seeds), range_text(left.rollouts));
}

} // namespace

std::string estimate_text(const std::vector<point_estimate>& points,
                          std::size_t seeds, const halving_plan* halving) {
  std::vector<std::vector<std::string>> rows{
      {"point", "rollouts of a run", "documents written"}};
  for (const auto& point : points)
    rows.push_back(
        {point.name, range_text(point.rollouts), range_text(point.documents)});
  return fitted_table(rows) + '\n' + estimate_totals(points, seeds, halving);
}

std::string estimate_totals(const std::vector<point_estimate>& points,
                            std::size_t seeds, const halving_plan* halving) {
  return fmt::format(
             "Runs       {}: {} with {}\nRollouts   {} if each ran alone; "
             "what points have in common is played once\n",
             points.size() * seeds, counted(points.size(), "point"),
             counted(seeds, "seed"),
             range_text(sum_over(points, seeds, &point_estimate::rollouts)))
         + (halving ? halving_text(points, seeds, *halving) : "");
}

nlohmann::ordered_json estimate_json(const std::vector<point_estimate>& points,
                                     std::size_t seeds,
                                     const halving_plan* halving) {
  const auto pair = [](const range& value) {
    return nlohmann::ordered_json::array({value.low, value.high});
  };
  const auto all = sum_over(points, seeds, &point_estimate::rollouts);
  nlohmann::ordered_json out{{"event", "sweep_estimate"},
                             {"runs", points.size() * seeds},
                             {"rollouts_alone", pair(all)},
                             {"points", nlohmann::ordered_json::array()}};
  for (const auto& point : points)
    out["points"].push_back({{"name", point.name},
                             {"rollouts", pair(point.rollouts)},
                             {"documents", pair(point.documents)}});
  if (!halving) return out;
  const auto left = halved_by(points, seeds, *halving);
  out["halving"] = {{"points", points_by_stretch(points.size(), *halving)},
                    {"iterations", left.iterations},
                    {"iterations_alone", iterations_of(points, seeds)},
                    {"rollouts", pair(left.rollouts)}};
  return out;
}

} // namespace brewery
