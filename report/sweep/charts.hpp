#pragma once
/// The charts of a sweep as SVG, each with its numbers as a table. PURE.

#include "report/sweep/tables.hpp"

namespace brewery::sweep_view {

struct figure_chart {
  std::string id; ///< unique on the page
  std::string title;
  std::string reading; ///< how to read it, a sentence or two
  std::string svg;
  std::string key; ///< what the markers mean, as HTML; may be empty
  figure_table numbers;
};

/// Each point's score with its interval, and its seeds. Empty without scores.
std::optional<figure_chart> scores_chart(const sweep_figures& sweep);

/// Mean cost of a run against score, with the Pareto front.
std::optional<figure_chart> cost_chart(const sweep_figures& sweep);

/// Score by width and depth; empty if no two points differ in them.
std::optional<figure_chart> heat_map(const sweep_figures& sweep);

/// Reward of the best documents so far against rollouts, a line per point.
std::optional<figure_chart> progress_chart(const sweep_figures& sweep);

/// Train, eval and test by iteration; one for each point that has barriers, all
/// with the same vertical axis.
std::vector<figure_chart> curve_charts(const sweep_figures& sweep);

/// The table whose cells are colored by `heat_map`; without columns if empty.
figure_table heat_table(const sweep_figures& sweep);

} // namespace brewery::sweep_view
