#pragma once
/// Brings an array of workers to a number: asks its engine what there is,
/// starts what is missing, and tells the surplus to end.

#include "cli/cluster_up/scaling.hpp"
#include "cli/cluster_up/worker_array_store.hpp"

namespace brewery {

/// Workers that the engine runs or will run, by id.
result<std::vector<engine_worker>> list_workers(const worker_array& array);

/// Carries the change out and stores after each step what the engine said, so
/// that a failure in between loses no worker.
result<void> apply(const array_change& change, worker_array& array,
                   worker_array_store& store);

} // namespace brewery
