#pragma once
/// What the page and the Markdown say about a sweep: totals, mean curves,
/// numbers as text and the sentences at the top. PURE.

#include "report/sweep/sweep_figures.hpp"

namespace brewery::sweep_view {

/// Sums over the runs of a point.
struct point_totals {
  std::size_t runs = 0, finished = 0;
  std::uint64_t rollouts = 0; ///< asked for
  std::uint64_t reused =
      0; ///< of them that an earlier one of the run stands for
  tree_growth_figures grown; ///< the deepest and the widest of all
  economy_counts scoring;
  saved_work saved;
  std::uint64_t calls = 0, tokens = 0, tokens_alone = 0;
  double cost_usd = 0, cost_alone_usd = 0;
  double seconds = 0;
};

point_totals totals_of(const point_figures& point);

/// Of all points. Runs that have not begun or cannot be read count in `runs`.
point_totals totals_of(const sweep_figures& sweep);

/// The mean over the runs that reached an iteration.
struct curve_step {
  std::uint32_t iteration = 0;
  std::size_t runs = 0;
  double rollouts = 0;
  std::optional<double> train;
  double eval = 0, reward = 0;
  double best = 0; ///< mean of each run's highest reward so far
};

/// In order of the iterations; leaves out barriers with numbers that are none.
std::vector<curve_step> mean_curve(const point_figures& point);

/// Whether any run cost money; else rollouts are what is compared.
bool costs_money(const sweep_figures& sweep);

/// Mean per run with a score (per run if none has one) of money or rollouts,
/// with what runs have in common in each of them.
double cost_per_run(const point_figures& point, bool money);

/// The estimate's value if it is a number.
std::optional<double> value_of(const std::optional<estimate>& number);

/// The point with the highest score, the first of equals; null without any, and
/// if points are of several benchmarks, whose scores do not compare.
const point_figures* best_point(const sweep_figures& sweep);

/// Numbers as text; "-" for what is missing or not a number.
std::string share_text(std::optional<double> share); ///< "61.2 %"
std::string interval_text(const std::optional<estimate>& share);
///< "55.0 to 67.1"
std::string change_text(const std::optional<estimate>& change); ///< "+8.1 pp"
std::string change_interval_text(const std::optional<estimate>& change);
std::string count_text(std::uint64_t count); ///< "12,345"
std::string money_text(double usd);          ///< "$1.20"
std::string time_text(double seconds);       ///< "3.2 h"

/// Whether the best point is better than the first, in full sentences.
std::string headline(const sweep_figures& sweep);

/// What a reader must know beside it: runs that are not finished, that no
/// language model took part, that choosing the best flatters it.
std::vector<std::string> cautions(const sweep_figures& sweep);

} // namespace brewery::sweep_view
