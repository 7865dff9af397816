#pragma once
/// How many workers there should be, and which are started or told to end for
/// that. Pure; time is a parameter.

#include "cli/cluster_up/engine.hpp"

#include <set>

namespace brewery {

struct array_change {
  worker_ids start, stop; ///< ascending; one of them is empty
};

/// New workers get the lowest ids that are free. Those that end first are the
/// ones that wait for their turn, then idle ones, then those of the highest
/// ids. `busy`: ids of workers with jobs.
array_change change_to(std::uint32_t wanted,
                       const std::vector<engine_worker>& there,
                       const std::set<std::uint32_t>& busy = {});

struct scaling_bounds {
  std::uint32_t least = 1, most = 1;
  std::uint32_t slots = 1; ///< of one worker
};

/// What the coordinator says of all its runs.
struct cluster_load {
  std::size_t queued = 0, running = 0; ///< jobs
};

/// Barriers leave workers idle for a while, so an array shrinks only when fewer
/// workers have been enough for so long.
inline constexpr std::int64_t shrink_after_s = 300;

/// One worker for each `slots` jobs, within the bounds: at once if these are
/// more than `now`, later if they are fewer. `enough_since_s` is its memory:
/// worker_array::enough_since_s.
std::uint32_t wanted_workers(const cluster_load& load,
                             const scaling_bounds& bounds, std::uint32_t now,
                             std::int64_t now_s, std::int64_t& enough_since_s);

} // namespace brewery
