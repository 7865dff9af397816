#include "report/sweep/chart_axes.hpp"
#include "report/sweep/charts.hpp"
#include "report/sweep/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace brewery::sweep_view {

namespace {

/// Points of one width and depth, which may differ in other options.
struct heat_cell {
  std::size_t points = 0, scored = 0;
  double sum = 0;

  [[nodiscard]] std::optional<double> score() const {
    if (scored == 0) return std::nullopt;
    return sum / static_cast<double>(scored);
  }
};

struct heat_grid {
  std::set<std::uint64_t> widths, depths;
  std::map<std::pair<std::uint64_t, std::uint64_t>, heat_cell> cells;
};

heat_grid grid_of(const sweep_figures& sweep) {
  heat_grid out;
  for (const auto& point : sweep.points) {
    if (!point.width || !point.depth) continue;
    out.widths.insert(*point.width);
    out.depths.insert(*point.depth);
    auto& cell = out.cells[{*point.width, *point.depth}];
    ++cell.points;
    if (const auto score = value_of(point.score)) {
      ++cell.scored;
      cell.sum += *score;
    }
  }
  return out;
}

bool varies(const heat_grid& grid) {
  return grid.widths.size() > 1 || grid.depths.size() > 1;
}

/// What there is room for: percent with a decimal, without, or nothing.
std::string heat_text(const heat_cell& cell, std::size_t columns) {
  constexpr std::size_t wide_max = 6, narrow_max = 12;
  const auto score = cell.score();
  if (columns <= wide_max) return share_text(score);
  if (columns > narrow_max) return {};
  return score ? fmt::format("{:.0f}", 100 * *score) : "-";
}

std::string heat_cell_markup(const heat_cell& cell, const std::string& text,
                             value_range range, double x, double y,
                             double width, double height) {
  const auto score = cell.score();
  const double part =
      score ? (*score - range.low) / (range.high - range.low) : 0;
  auto out =
      fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" "
                  "class=\"heat\" fill-opacity=\"{:.2f}\"/>",
                  coordinate(x + 2), coordinate(y + 2), coordinate(width - 4),
                  coordinate(height - 4), score ? 0.08 + 0.32 * part : 0.0);
  return out
         + chart_text(x + width / 2, y + height / 2 + 5, "middle", text,
                      "cell");
}

} // namespace

figure_table heat_table(const sweep_figures& sweep) {
  figure_table out;
  const auto grid = grid_of(sweep);
  if (!varies(grid)) return out;
  out.caption = "Score by width (columns) and depth (rows)";
  out.columns = {{"depth"}};
  for (const auto width : grid.widths)
    out.columns.push_back({fmt::format("width {}", width), true});
  for (const auto depth : grid.depths) {
    std::vector<table_cell> row = {{std::to_string(depth)}};
    for (const auto width : grid.widths) {
      const auto found = grid.cells.find({width, depth});
      if (found == grid.cells.end()) {
        row.push_back({""});
        continue;
      }
      const auto& cell = found->second;
      row.push_back({share_text(cell.score()),
                     cell.points > 1
                         ? fmt::format("mean of {} points", cell.scored)
                         : ""});
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::optional<figure_chart> heat_map(const sweep_figures& sweep) {
  const auto grid = grid_of(sweep);
  std::vector<double> scores;
  for (const auto& [at, cell] : grid.cells)
    if (const auto score = cell.score()) scores.push_back(*score);
  if (!varies(grid) || scores.empty()) return std::nullopt;
  const auto range = range_of(scores);
  constexpr double left = 64, top = 34, height = 52;
  const double width =
      (chart_width - left) / static_cast<double>(grid.widths.size());
  std::string content = chart_text(left, 14, "start", "width", "name")
                        + chart_text(0, 30, "start", "depth", "name");
  std::size_t column = 0, row = 0;
  for (const auto w : grid.widths)
    content += chart_text(left + (static_cast<double>(column++) + .5) * width,
                          30, "middle", std::to_string(w), "tick");
  for (const auto d : grid.depths) {
    const double y = top + height * static_cast<double>(row++);
    content += chart_text(left - 10, y + height / 2 + 5, "end",
                          std::to_string(d), "tick");
    column = 0;
    for (const auto w : grid.widths) {
      const double x = left + width * static_cast<double>(column++);
      if (const auto found = grid.cells.find({w, d}); found != grid.cells.end())
        content += heat_cell_markup(
            found->second, heat_text(found->second, grid.widths.size()), range,
            x, y, width, height);
    }
  }
  figure_chart out;
  out.id = "heat";
  out.title = "Width and depth";
  out.reading = "The stronger the colour, the higher the score. Points that "
                "share a width and a depth are averaged. In percent.";
  out.numbers = heat_table(sweep);
  out.svg = svg_markup(
      out.id, top + height * static_cast<double>(grid.depths.size()) + 4,
      out.title,
      fmt::format("Scores from {} to {} at {} widths and {} depths.",
                  share_text(*std::ranges::min_element(scores)),
                  share_text(*std::ranges::max_element(scores)),
                  grid.widths.size(), grid.depths.size()),
      content);
  return out;
}

} // namespace brewery::sweep_view
