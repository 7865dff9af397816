#pragma once
/// A sweep as JSON: the sentences, tables and charts of its page
/// (report/sweep/sweep_page.hpp) and the numbers behind them, in parts that a
/// reader can ask for one by one. PURE.

#include "base/json.hpp"
#include "report/sweep/charts.hpp"

namespace brewery {

/// What is said of the sweep as a whole.
json sweep_head_json(const sweep_figures& sweep);

/// A point with its seeds. Shares are from 0 to 1; a number that is missing or
/// none is left out.
json sweep_point_json(const point_figures& point);

/// The page's charts, in its order; `kind` is "mixed" or "curve".
struct named_chart {
  std::string kind;
  sweep_view::figure_chart chart;
};
std::vector<named_chart> charts_of(const sweep_figures& sweep);
json chart_json(const named_chart& one);

/// The page's tables that are not of a chart and have rows, in its order.
std::vector<sweep_view::figure_table> tables_of(const sweep_figures& sweep);
json table_json(const sweep_view::figure_table& table);

} // namespace brewery
