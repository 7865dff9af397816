#include "base/printable.hpp"
#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "report/compare/comparison.hpp"
#include "run/arms.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

std::string interval_text(const estimate& e) {
  return fmt::format("[{:.1f}, {:.1f}]{}", 100 * e.low, 100 * e.high,
                     e.kind == interval_kind::wilson ? "*" : "");
}

std::vector<std::string> row_of(const compared& one, bool first) {
  std::vector<std::string> out{printable(one.name), std::to_string(one.runs),
                               std::to_string(one.tasks)};
  out.push_back(one.score ? percent_text(one.score->value) : "unknown");
  out.push_back(one.score ? interval_text(*one.score) : "-");
  if (first) {
    out.insert(out.end(), {"-", "-"});
  } else if (one.difference) {
    out.push_back(fmt::format("{:+.1f} {}", 100 * one.difference->value,
                              interval_text(*one.difference)));
    out.push_back(fmt::format("{} x {}", one.paired_runs, one.paired_tasks));
  } else {
    out.insert(out.end(), {"unknown", "0"});
  }
  return out;
}

std::string unscored_text(const comparison& made) {
  std::string out;
  for (const auto& one : made.contenders)
    if (one.unscored.count > 0)
      out +=
          fmt::format("{}: {} of {} attempts have no score; if they counted "
                      "as 0 or as 1, it would have {:.1f} to {:.1f} %\n",
                      printable(one.name), one.unscored.count, one.unscored.of,
                      100 * one.unscored.lowest, 100 * one.unscored.highest);
  return out;
}

/// Others have one attempt for each score.
std::string attempts_text(const comparison& made) {
  std::string out;
  for (const auto& one : made.contenders)
    if (one.attempts > one.scored_attempts)
      out +=
          fmt::format("{}: its learner made {} attempts for the {} that are "
                      "scored\n",
                      printable(one.name), one.attempts, one.scored_attempts);
  return out;
}

bool has_wilson(const comparison& made) {
  const auto is = [](const std::optional<estimate>& e) {
    return e && e->kind == interval_kind::wilson;
  };
  return std::ranges::any_of(made.contenders, [&](const compared& one) {
    return is(one.score) || is(one.difference);
  });
}

bool has_seeds(const comparison& made) {
  return std::ranges::any_of(made.contenders,
                             [](const compared& one) { return one.runs > 1; });
}

void add(nlohmann::ordered_json& out, const std::string& name,
         const std::optional<estimate>& known) {
  out[name] = out[name + "_low"] = out[name + "_high"] = nullptr;
  if (!known) return;
  out[name] = known->value;
  out[name + "_low"] = known->low;
  out[name + "_high"] = known->high;
  out[name + "_interval"] = to_string(known->kind);
}

} // namespace

std::string comparison_text(const comparison& made, std::size_t width) {
  const std::string score = made.whole_grades ? "success" : "mean grade";
  std::vector<std::vector<std::string>> rows{{"run", "seeds", "tasks", score,
                                              "95 % interval",
                                              "paired difference", "paired"}};
  for (const auto& one : made.contenders)
    rows.push_back(row_of(one, &one == &made.contenders.front()));
  auto out = fmt::format("{} on sealed tasks of {}\n\n",
                         made.whole_grades ? "Success" : "Mean grade",
                         printable(made.benchmark))
             + table(rows, width) + '\n';
  if (made.contenders.size() > 1)
    out += fmt::format("The difference is to {}, the first row, task by task, "
                       "in points; \"paired\" says over\nhow many seeds and "
                       "tasks. ",
                       printable(made.contenders.front().name));
  out += "Intervals: bootstrap over tasks"
         + std::string{has_seeds(made) ? " and seeds" : ""} + ".\n";
  if (has_wilson(made)) out += "* tasks agree or are few: Wilson interval.\n";
  return out + attempts_text(made) + unscored_text(made);
}

nlohmann::ordered_json comparison_json(const comparison& made) {
  nlohmann::ordered_json out{
      {"benchmark", made.benchmark},
      {"score", made.whole_grades ? "success" : "mean grade"}};
  out["contenders"] = nlohmann::ordered_json::array();
  for (const auto& one : made.contenders) {
    nlohmann::ordered_json row{
        {"name", one.name}, {"runs", one.runs}, {"tasks", one.tasks}};
    add(row, "score", one.score);
    add(row, "difference", one.difference);
    row["paired_runs"] = one.paired_runs;
    row["paired_tasks"] = one.paired_tasks;
    row["ungraded"] = one.unscored.count;
    row["score_lowest"] = one.unscored.lowest;
    row["score_highest"] = one.unscored.highest;
    out["contenders"].push_back(std::move(row));
  }
  return out;
}

} // namespace brewery
