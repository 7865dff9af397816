#include "report/sweep/methods.hpp"

#include "report/sweep/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace brewery::sweep_view {

namespace {

using named_option = std::pair<std::string, std::string>;

constexpr std::array sections_of_benchmark{"environment.", "user.",
                                           "statement_judge."};

bool is_of_benchmark(const named_option& option) {
  return std::ranges::any_of(sections_of_benchmark, [&](const char* section) {
    return option.first.starts_with(section);
  });
}

/// What two names begin with, up to a separator; all of them if they are equal.
std::string common_start(const std::string& a, const std::string& b) {
  if (a == b) return a;
  const auto end = std::ranges::mismatch(a, b).in1 - a.begin();
  const auto start = a.substr(0, static_cast<std::size_t>(end));
  const auto cut = start.find_last_of("-_.");
  return cut == std::string::npos ? "" : start.substr(0, cut);
}

/// Points with other options may begin alike.
std::string unused(const std::string& name, std::set<std::string>& used) {
  auto out = name;
  for (int i = 2; !used.insert(out).second; ++i)
    out = fmt::format("{} ({})", name, i);
  return out;
}

table_cell score_cell(const point_figures* point) {
  if (!point) return {"-"};
  return {share_text(value_of(point->score)), interval_text(point->score)};
}

/// What one run takes, the mean.
table_cell effort_cell(const point_figures* point) {
  if (!point || point->seeds.empty()) return {"-"};
  const auto all = totals_of(*point);
  return {fmt::format("{} calls, {} tokens, {}",
                      count_text(all.calls / all.runs),
                      count_text(all.tokens_alone / all.runs),
                      time_text(all.seconds / static_cast<double>(all.runs)))};
}

table_cell difference_cell(const sweep_figures& sweep,
                           const point_figures* point) {
  if (!point) return {"-"};
  const auto index = static_cast<std::size_t>(point - sweep.points.data());
  if (first_of_its_benchmark(sweep, index) == index) return {"first"};
  return {change_text(point->difference),
          change_interval_text(point->difference)};
}

} // namespace

std::vector<std::string> benchmarks_of(const sweep_figures& sweep) {
  std::vector<std::string> out;
  for (const auto& point : sweep.points)
    if (!point.benchmark.empty()
        && std::ranges::find(out, point.benchmark) == out.end())
      out.push_back(point.benchmark);
  return out;
}

std::size_t first_of_its_benchmark(const sweep_figures& sweep,
                                   std::size_t point) {
  const auto same = std::ranges::find(
      sweep.points, sweep.points[point].benchmark, &point_figures::benchmark);
  return static_cast<std::size_t>(same - sweep.points.begin());
}

void name_methods(sweep_figures& sweep) {
  struct method {
    std::vector<named_option> options;
    std::vector<point_figures*> points;
    [[nodiscard]] bool takes(const std::vector<named_option>& these,
                             const point_figures& point) const {
      return options == these
             && std::ranges::none_of(points, [&](const auto* other) {
                  return other->benchmark == point.benchmark;
                });
    }
  };
  std::vector<method> methods;
  for (auto& point : sweep.points) {
    auto options = point.options;
    std::erase_if(options, is_of_benchmark);
    auto found = std::ranges::find_if(
        methods, [&](const auto& one) { return one.takes(options, point); });
    if (found == methods.end())
      found = methods.insert(found, {std::move(options), {}});
    found->points.push_back(&point);
  }
  std::set<std::string> used;
  for (const auto& [options, points] : methods) {
    auto name = points.front()->name;
    for (const auto* point : points)
      name = common_start(name, point->name);
    if (name.empty()) name = points.front()->name; // they have no such start
    name = unused(name, used);
    for (auto* point : points)
      point->method = name;
  }
}

figure_table methods_table(const sweep_figures& sweep) {
  figure_table out;
  const auto benchmarks = benchmarks_of(sweep);
  if (benchmarks.size() < 2) return out;
  out.caption = "Methods, in the order of the sweep's file";
  out.columns = {{"method"}};
  for (const auto& benchmark : benchmarks) {
    out.columns.push_back({benchmark, true});
    out.columns.push_back({"difference to the first", true});
    out.columns.push_back({"a run takes", true});
  }
  std::vector<std::string> methods;
  for (const auto& point : sweep.points)
    if (std::ranges::find(methods, point.method) == methods.end())
      methods.push_back(point.method);
  for (const auto& method : methods) {
    std::vector<table_cell> row = {{method}};
    for (const auto& benchmark : benchmarks) {
      const auto found =
          std::ranges::find_if(sweep.points, [&](const point_figures& point) {
            return point.method == method && point.benchmark == benchmark;
          });
      const auto* point = found == sweep.points.end() ? nullptr : &*found;
      row.push_back(score_cell(point));
      row.push_back(difference_cell(sweep, point));
      row.push_back(effort_cell(point));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

} // namespace brewery::sweep_view
