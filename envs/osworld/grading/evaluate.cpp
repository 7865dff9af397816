#include "envs/osworld/grading/evaluate.hpp"

#include "envs/osworld/grading/metrics/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace brewery::osworld {

namespace {

/// Runs a getter. A missing file is a value that is none.
result<graded_value> value_of(const std::optional<json>& config,
                              const grading_scene& scene, std::string& raised) {
  if (!config) return graded_value{};
  auto value = get_value(*config, scene);
  if (!value && value.error().code == ec::malformed) {
    raised = value.error().message;
    return graded_value{};
  }
  return value;
}

/// Equal names mean equal checks: the metric and its place in the list.
std::string part_name(const evaluator& graded, std::size_t index) {
  const auto& name = graded.metrics[index].function;
  return graded.list ? fmt::format("{} {}", index + 1, name) : name;
}

result<double> score_of(const metric_use& use, const grading_scene& scene,
                        grade_report& report, const std::string& name) {
  std::string raised;
  const auto got = value_of(use.result, scene, raised);
  if (!got) return got.error();
  const auto expected =
      raised.empty() ? value_of(use.expected, scene, raised) : graded_value{};
  if (!expected) return expected.error();
  double score = 0;
  if (raised.empty()) {
    const auto answer = native_metric(use.function)(
        {*got, use.expected ? &*expected : nullptr, use.options});
    if (answer)
      score = std::clamp(*answer, 0.0, 1.0);
    else
      raised = answer.error().message;
  }
  report.parts.push_back({name, score == 1.0});
  if (!raised.empty()) report.parts.push_back({name + " can compare", false});
  return score;
}

} // namespace

std::optional<grade_report> decided_by_last_action(const evaluator& graded,
                                                   last_action last) {
  const bool failed = last == last_action::fail;
  if (graded.infeasible)
    return grade_report{failed ? 1.0 : 0.0, {{"infeasible", failed}}};
  if (failed) return grade_report{0.0, {{"not given up", false}}};
  return {};
}

double combined_score(const std::vector<double>& scores, bool any) {
  if (scores.empty()) return 0;
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  if (any) return *most;
  if (*least == 0) return 0;
  return std::accumulate(scores.begin(), scores.end(), 0.0)
         / static_cast<double>(scores.size());
}

result<grade_report> evaluate_native(const evaluator& graded,
                                     const grading_scene& scene) {
  grade_report report;
  std::vector<double> scores;
  for (std::size_t i = 0; i < graded.metrics.size(); ++i) {
    const auto score =
        score_of(graded.metrics[i], scene, report, part_name(graded, i));
    if (!score) return score.error();
    scores.push_back(*score);
    if (graded.list && (graded.any ? *score == 1.0 : *score == 0.0)) break;
  }
  report.reward = combined_score(scores, graded.any);
  return report;
}

} // namespace brewery::osworld
