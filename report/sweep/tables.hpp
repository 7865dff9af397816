#pragma once
/// The tables of a sweep, which the page and the Markdown show alike. Cells are
/// plain text, escaped by who writes them. PURE.

#include "report/sweep/summary.hpp"

namespace brewery::sweep_view {

struct table_column {
  std::string name;
  bool number = false; ///< aligned to the right
};

struct table_cell {
  std::string text;
  std::string note = {}; ///< an interval, shown below or in parentheses
};

struct figure_table {
  std::string caption;
  std::vector<table_column> columns;
  std::size_t header = 0; ///< the column that names a row
  std::vector<std::vector<table_cell>> rows;
  std::optional<std::size_t> marked; ///< the row of the best point
};

/// Score, gain, difference and cost of each point.
figure_table points_table(const sweep_figures& sweep);

/// Rows are methods, columns benchmarks: scores, and differences to the first
/// point of each. Without columns unless points are of several benchmarks.
figure_table methods_table(const sweep_figures& sweep);

/// How far the trees of each point grew; without rows if none did.
figure_table growth_table(const sweep_figures& sweep);

/// Which rollouts of each point scored versions, and what reuse and bounds
/// spared; without rows if nothing was spared, scored again or confirmed.
figure_table savings_table(const sweep_figures& sweep);

/// Which options each point has; without columns if they vary none.
figure_table options_table(const sweep_figures& sweep);

/// Each run with its state, scores and cost.
figure_table runs_table(const sweep_figures& sweep);

/// The documents whose contribution, else gain, is largest in size, at most
/// `most`.
figure_table documents_table(const sweep_figures& sweep, std::size_t most = 50);

/// The mean curve of each point, one row per iteration.
figure_table curves_table(const sweep_figures& sweep);

/// What every number means, in the order of the tables.
struct legend_entry {
  std::string term, meaning;
};

std::vector<legend_entry> legend(const sweep_figures& sweep);

} // namespace brewery::sweep_view
