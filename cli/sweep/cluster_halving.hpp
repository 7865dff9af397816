#pragma once
/// A sweep with halving on a coordinator: its runs are held at each rung, this
/// process decides which points go on from what they had come to, and sends
/// those on. What the coordinator has on record decides, so the same command
/// goes on after a stop or a kill of either, with the same cuts.

#include "cli/sweep/cluster_group.hpp"

namespace brewery {

/// `plan` has halving, and `how` where the runs go. Errors as of `await_sweep`.
result<sweep_outcome> play_halved_sweep(const sweep_plan& plan,
                                        const cluster_sweep& how,
                                        const sweep_observer& observer);

} // namespace brewery
