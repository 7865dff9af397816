#include "cli/sweep/sweep_text.hpp"

#include "base/statistics.hpp"
#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace brewery {

namespace {

/// A point over those of its runs that finished.
struct point_sum {
  std::size_t finished = 0;
  std::vector<double> scores, without;
  std::uint64_t rollouts = 0;
  double cost_usd = 0;
};

point_sum sum_of(const sweep_point_state& point) {
  point_sum out;
  for (const auto& run : point.runs) {
    out.rollouts += run.rollouts;
    out.cost_usd += run.cost_usd;
    if (run.state != sweep_run_state::finished) continue;
    ++out.finished;
    if (run.score) out.scores.push_back(*run.score);
    if (run.without_documents) out.without.push_back(*run.without_documents);
  }
  return out;
}

std::string mean_text(const std::vector<double>& values) {
  return values.empty() ? "-" : fmt::format("{:.3f}", mean(values));
}

/// Where the point was cut; null: it was not.
const sweep_cut* cut_of(const sweep_point_state& point) {
  for (const auto& run : point.runs)
    if (run.cut) return &*run.cut;
  return nullptr;
}

bool has_cuts(const sweep_state& state) {
  return std::ranges::any_of(state.points, cut_of);
}

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

} // namespace

std::string sweep_table(const sweep_outcome& played) {
  std::vector<std::vector<std::string>> rows{
      {"point", "runs", "score", "no documents", "rollouts", "cost"}};
  const bool cuts = has_cuts(played.state);
  if (cuts) rows.front().push_back("cut by halving");
  for (const auto& point : played.state.points) {
    const auto sum = sum_of(point);
    rows.push_back({point.name,
                    fmt::format("{}/{}", sum.finished, point.runs.size()),
                    mean_text(sum.scores), mean_text(sum.without),
                    fmt::format("{}", sum.rollouts),
                    fmt::format("${:.2f}", sum.cost_usd)});
    if (!cuts) continue;
    const auto* cut = cut_of(point);
    rows.back().push_back(cut ? fmt::format("after iteration {} (eval {:.3f})",
                                            cut->after, cut->score)
                              : "-");
  }
  auto out = fitted_table(rows);
  if (played.shared > 0)
    out += fmt::format("\n{} of these {} played by another run of the sweep\n",
                       counted(played.shared, "rollout"),
                       played.shared == 1 ? "was" : "were");
  return out;
}

nlohmann::ordered_json sweep_json(const sweep_outcome& played) {
  nlohmann::ordered_json out{{"event", "sweep"},
                             {"rollouts_shared", played.shared},
                             {"points", nlohmann::ordered_json::array()}};
  for (const auto& point : played.state.points) {
    const auto sum = sum_of(point);
    nlohmann::ordered_json one{{"name", point.name},
                               {"runs", point.runs.size()},
                               {"finished", sum.finished},
                               {"rollouts", sum.rollouts},
                               {"cost_usd", sum.cost_usd}};
    if (!sum.scores.empty()) one["score"] = mean(sum.scores);
    if (!sum.without.empty()) one["without_documents"] = mean(sum.without);
    if (const auto* cut = cut_of(point))
      one["cut"] = {{"after", cut->after}, {"score", cut->score}};
    out["points"].push_back(std::move(one));
  }
  return out;
}

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
  return fitted_table(rows)
         + fmt::format(
             "\nRuns       {}: {} with {}\nRollouts   {} if each ran alone; "
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
