#pragma once
/// Where the runs of a sweep are: its points, as its directory has them now.

#include "base/result.hpp"
#include "report/sweep/collect.hpp"

namespace brewery {

/// Whether the directory is that of a sweep.
bool is_sweep(const std::filesystem::path& directory);

struct sweep_runs {
  std::vector<sweep_point> points; ///< those of which a run has begun
  std::size_t not_begun = 0;       ///< runs, of all points
};

/// In the order of the sweep's file. Errors: those of `read_sweep_state`.
result<sweep_runs> runs_of_sweep(const std::filesystem::path& sweep);

} // namespace brewery
