#include "web/compare_pages.hpp"

#include "base/text.hpp"
#include "report/compare/run_groups.hpp"
#include "report/sweep/point_options.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery::web {

namespace {

constexpr std::size_t contenders_max = 50;

run_places places_on(const run_shelf& shelf) {
  return {[&shelf](const std::string& id) -> result<std::filesystem::path> {
            const auto run = shelf.find(id);
            if (!run)
              return error{run.error().code,
                           fmt::format("{}: {}", id, run.error().message)};
            return run->path();
          },
          [&shelf](const std::string& id) {
            const auto sweep = shelf.sweeps().find(id);
            return sweep ? std::optional{sweep->path} : std::nullopt;
          }};
}

/// The id on the page of a run in a directory.
std::string id_of(const run_shelf& shelf, const std::filesystem::path& run) {
  const auto name = run.filename().string();
  const auto parent = run.parent_path();
  return parent == shelf.root() ? name
                                : parent.filename().string() + '/' + name;
}

/// The runs' ids, and the options in which the contenders' first runs differ.
void add_runs(json& out, const run_shelf& shelf,
              const std::vector<sweep_point>& named) {
  std::vector<config> first;
  std::vector<const config*> options;
  for (const auto& one : named) {
    auto ids = json::array();
    for (const auto& run : one.runs)
      ids.push_back(id_of(shelf, run));
    out["runs"].push_back(std::move(ids));
    const auto& run = one.runs.front();
    auto made = run_directory::open(run.parent_path(), run.filename().string());
    if (!made) continue;
    if (auto known = options_of(*made)) first.push_back(std::move(*known));
  }
  if (first.size() < named.size()) return;
  for (const auto& one : first)
    options.push_back(&one);
  const auto differing = differing_options(options);
  for (std::size_t i = 0; i < differing.front().size(); ++i) {
    auto values = json::array();
    for (const auto& one : differing)
      values.push_back(one[i].second);
    out["options"].push_back(
        {{"key", differing.front()[i].first}, {"values", values}});
  }
}

/// The mean over the runs that graded a task.
values_by_task grades_of(const run_group& group) {
  values_by_task sums;
  std::map<std::string, std::size_t> counts;
  for (const auto& run : group.runs)
    for (const auto& [task, grade] : brewery::grades_of(run.arm)) {
      sums[task] += grade;
      ++counts[task];
    }
  for (auto& [task, sum] : sums)
    sum /= static_cast<double>(counts[task]);
  return sums;
}

json task_json(const std::string& task,
               const std::vector<values_by_task>& grades) {
  json out{{"task", task},
           {"grades", json::array()},
           {"differences", json::array()}};
  const auto first = grades.front().find(task);
  for (const auto& of_one : grades) {
    const auto grade = of_one.find(task);
    const bool known = grade != of_one.end();
    out["grades"].push_back(known ? json(grade->second) : json());
    out["differences"].push_back(known && first != grades.front().end()
                                     ? json(grade->second - first->second)
                                     : json());
  }
  return out;
}

} // namespace

result<json> compare_json(const run_shelf& shelf, const compare_request& wanted,
                          const page& asked) {
  std::vector<std::string> words;
  for (const auto word : split(wanted.words, ' '))
    if (!word.empty()) words.emplace_back(word);
  if (words.empty())
    return error{ec::invalid_argument, "say which: ?runs=RUN+RUN"};
  std::vector<error> problems;
  auto named = run_groups(words, places_on(shelf), problems);
  if (!problems.empty()) return problems.front();
  if (named.points.size() > contenders_max)
    return error{ec::invalid_argument,
                 fmt::format("{} runs or points; {} are the most that are "
                             "compared here, `brewery compare` takes more",
                             named.points.size(), contenders_max)};
  const auto cut = cut_json(named.points);
  const auto groups = measured(named, wanted.arm);
  if (!groups) return error{ec::not_found, groups.error().message};
  const auto made = compare(*groups);
  if (!made) return made.error();
  json out = comparison_json(*made);
  if (!cut.empty()) out["cut"] = cut;
  if (!named.left_out.empty()) out["left_out"] = left_out_json(named);
  out["arms"] = json::array();
  for (const auto& group : *groups)
    out["arms"].push_back(group.runs.front().arm.name);
  out["runs"] = out["options"] = json::array();
  add_runs(out, shelf, named.points);
  std::vector<values_by_task> grades;
  std::set<std::string> all;
  for (const auto& group : *groups) {
    grades.push_back(grades_of(group));
    for (const auto& [task, grade] : grades.back())
      all.insert(task);
  }
  const std::vector<std::string> tasks{all.begin(), all.end()};
  add_page(out, asked, tasks.size(),
           [&](std::size_t i) { return task_json(tasks[i], grades); });
  return out;
}

} // namespace brewery::web
