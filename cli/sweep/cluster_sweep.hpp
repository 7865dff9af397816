#pragma once
/// A sweep whose runs a coordinator plays: submits them as a group, waits until
/// they have ended, and fetches them into the directory of a sweep. The
/// coordinator does the work; this process may end at any moment, and the same
/// command goes on where it was.

#include "cli/sweep/cluster_group.hpp"

namespace brewery {

/// What of the plan a coordinator cannot do. Error ec::invalid_argument.
result<void> can_play_on_cluster(const sweep_plan& plan,
                                 const cluster_sweep& how);

/// Returns the number of runs that are new to the coordinator. A run that it
/// knows goes on, or gets its further iterations. Error: it refuses one.
result<std::size_t> submit_sweep(const sweep_plan& plan,
                                 const cluster_sweep& how);

/// Waits, also for a coordinator that is away, fetches and writes sweep.json.
/// Error ec::cancelled: interrupted.
result<sweep_outcome> await_sweep(const sweep_plan& plan,
                                  const cluster_sweep& how,
                                  const sweep_observer& observer);

} // namespace brewery
