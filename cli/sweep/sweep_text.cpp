#include "cli/sweep/sweep_text.hpp"

#include "base/statistics.hpp"
#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>

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
    rows.back().push_back(
        cut ? fmt::format("after iteration {} (reward {:.3f})", cut->after,
                          cut->score)
            : "-");
  }
  auto out = fitted_table(rows);
  if (played.shared > 0)
    out += fmt::format("\n{}, {} {} played by another run of it\n",
                       played.group.empty() ? "since the sweep began or went on"
                                            : "in group " + played.group,
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

} // namespace brewery
