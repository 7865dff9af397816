#include "cli/sweep/sweep_text.hpp"

#include "base/statistics.hpp"
#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <cmath>

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
  for (const auto& point : played.state.points) {
    const auto sum = sum_of(point);
    rows.push_back({point.name,
                    fmt::format("{}/{}", sum.finished, point.runs.size()),
                    mean_text(sum.scores), mean_text(sum.without),
                    fmt::format("{}", sum.rollouts),
                    fmt::format("${:.2f}", sum.cost_usd)});
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
    out["points"].push_back(std::move(one));
  }
  return out;
}

std::string estimate_text(const std::vector<point_estimate>& points,
                          std::size_t seeds) {
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
             range_text(sum_over(points, seeds, &point_estimate::rollouts)));
}

nlohmann::ordered_json estimate_json(const std::vector<point_estimate>& points,
                                     std::size_t seeds) {
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
  return out;
}

} // namespace brewery
