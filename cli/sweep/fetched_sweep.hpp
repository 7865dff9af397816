#pragma once
/// Fetches the runs of a group into the directory of a sweep, and writes its
/// sweep.json.

#include "cli/sweep/cluster_group.hpp"
#include "sweep/sweep_state.hpp"

namespace brewery {

/// Where points were cut, by their place in the file.
using cut_points = std::map<std::size_t, sweep_cut>;

/// Runs that are not finished are fetched as far as they are: they have failed,
/// or begun if they were cancelled or a budget stopped them, or are cut.
result<sweep_outcome> fetch_sweep(const sweep_plan& plan,
                                  const cluster_sweep& how,
                                  const group_view& now,
                                  const cut_points& cuts = {});

} // namespace brewery
