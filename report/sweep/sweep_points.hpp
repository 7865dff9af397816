#pragma once
/// Where the runs of a sweep are: its points, as its directory has them now.

#include "base/result.hpp"
#include "report/sweep/collect.hpp"
#include "sweep/sweep_state.hpp"

namespace brewery {

/// Whether the directory is that of a sweep.
bool is_sweep(const std::filesystem::path& directory);

/// A run that tables do without.
struct left_out_run {
  std::string point;
  std::string run;        ///< its folder's name
  std::string why;        ///< goes on after the run's name, "has not begun"
  bool was_named = false; ///< by who asks; else it is of a sweep
};

struct sweep_runs {
  std::string first;               ///< name of the first point, there or not
  std::vector<sweep_point> points; ///< those of which a run is there
  std::size_t not_begun = 0;       ///< of `absent`
  /// Runs without a folder: they have not begun, have failed, or are gone.
  std::vector<left_out_run> absent;
};

/// Counts the runs that are not there.
void add_absent(sweep_figures& out, std::size_t not_begun,
                const std::vector<left_out_run>& absent);

/// As its file says; a path without one that is named like a group of runs
/// beside it is that group (report/sweep/run_group.hpp). Errors: those of
/// `read_sweep_state`.
result<sweep_state> state_of_sweep(const std::filesystem::path& sweep);

/// In the order of the sweep's file. Errors: those of `state_of_sweep`.
result<sweep_runs> runs_of_sweep(const std::filesystem::path& sweep);

} // namespace brewery
