#pragma once
/// Points of several benchmarks: which of them are one method, and which is the
/// first of a benchmark. PURE.

#include "report/sweep/sweep_figures.hpp"

namespace brewery::sweep_view {

/// In the order of the points.
std::vector<std::string> benchmarks_of(const sweep_figures& sweep);

/// The index of the point with which `point` is compared, perhaps itself.
std::size_t first_of_its_benchmark(const sweep_figures& sweep,
                                   std::size_t point);

/// Sets each point's method, once options and benchmarks are known: points of
/// different benchmarks are one if they differ in no option but those of the
/// benchmark, which its user and its judge of statements belong to. It is named
/// after what their names begin with: "mcts" for "mcts-retail", "mcts-airline".
void name_methods(sweep_figures& sweep);

} // namespace brewery::sweep_view
