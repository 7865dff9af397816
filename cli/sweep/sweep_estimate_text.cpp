/// An estimate of a sweep as text and JSON, with what halving leaves of it.

#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "cli/estimate/model_prices.hpp"
#include "cli/sweep/sweep_estimate.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace brewery {

namespace {

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
  const auto& end = last ? point.work.rollouts : point.to_rung[stretch];
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
                       "{} rollouts if each ran alone\n",
                       playing.back(), left.iterations,
                       iterations_of(points, seeds), count_text(left.rollouts));
}

/// Of all runs.
range over_seeds(const sweep_estimate& made, const range& of_one) {
  const auto seeds = static_cast<double>(made.seeds);
  return of_one * range{seeds, seeds};
}

work_estimate alone(const sweep_estimate& made) {
  work_estimate out;
  for (const auto& point : made.points)
    out += point.work;
  return out;
}

std::string models_text(const sweep_estimate& made, const work_estimate& all) {
  if (!made.uses_models) return "Models     none: nothing to pay for\n";
  const auto time = over_seeds(made, made.shared.seconds);
  const auto each = static_cast<double>(made.at_once);
  auto out = fmt::format(
      "Cost       {}; {} if each ran alone{}\n"
      "Time       {} to {} with {} at once\n"
      "Calls, tokens and seconds per job are assumed: measure them with\n"
      "`brewery estimate --pilot` on the base.\n",
      money_text(over_seeds(made, made.shared.cost_usd)),
      money_text(over_seeds(made, all.cost_usd)),
      made.halving ? "; both without halving" : "", time_text(time.low / each),
      time_text(time.high / each), counted(made.at_once, "job"));
  for (const auto& name : made.unpriced)
    out += fmt::format("The price of {} is not known and counts as 0: give it "
                       "in the catalog.\n",
                       name);
  return out;
}

} // namespace

std::string estimate_text(const sweep_estimate& made) {
  std::vector<std::vector<std::string>> rows{
      {"point", "rollouts of a run", "documents written"}};
  if (made.uses_models) rows.front().emplace_back("cost");
  for (const auto& point : made.points) {
    rows.push_back({point.name, count_text(point.work.rollouts),
                    count_text(point.work.documents)});
    if (made.uses_models)
      rows.back().push_back(money_text(point.work.cost_usd));
  }
  return fitted_table(rows) + '\n' + estimate_totals(made);
}

std::string estimate_totals(const sweep_estimate& made) {
  const auto all = alone(made);
  auto out = fmt::format(
      "Runs       {}: {} with {}\n"
      "Rollouts   {}: first rollouts, root documents and the test without\n"
      "           documents once for points that begin alike; {} if each ran "
      "alone\n",
      made.points.size() * made.seeds, counted(made.points.size(), "point"),
      counted(made.seeds, "seed"),
      count_text(over_seeds(made, made.shared.rollouts)),
      count_text(over_seeds(made, all.rollouts)));
  if (made.halving) out += halving_text(made.points, made.seeds, *made.halving);
  return out + models_text(made, all);
}

nlohmann::ordered_json estimate_json(const sweep_estimate& made) {
  const auto pair = [](const range& value) {
    return nlohmann::ordered_json::array({value.low, value.high});
  };
  const auto all = alone(made);
  nlohmann::ordered_json out{
      {"event", "sweep_estimate"},
      {"runs", made.points.size() * made.seeds},
      {"rollouts", pair(over_seeds(made, made.shared.rollouts))},
      {"rollouts_alone", pair(over_seeds(made, all.rollouts))},
      {"cost_usd", pair(over_seeds(made, made.shared.cost_usd))},
      {"cost_usd_alone", pair(over_seeds(made, all.cost_usd))},
      {"model_seconds", pair(over_seeds(made, made.shared.seconds))},
      {"at_once", made.at_once},
      {"unpriced", made.unpriced},
      {"points", nlohmann::ordered_json::array()}};
  for (const auto& point : made.points)
    out["points"].push_back({{"name", point.name},
                             {"rollouts", pair(point.work.rollouts)},
                             {"documents", pair(point.work.documents)},
                             {"cost_usd", pair(point.work.cost_usd)}});
  if (!made.halving) return out;
  const auto& halving = *made.halving;
  const auto left = halved_by(made.points, made.seeds, halving);
  out["halving"] = {
      {"points", points_by_stretch(made.points.size(), halving)},
      {"iterations", left.iterations},
      {"iterations_alone", iterations_of(made.points, made.seeds)},
      {"rollouts", pair(left.rollouts)}};
  return out;
}

} // namespace brewery
