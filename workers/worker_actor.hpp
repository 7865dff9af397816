#pragma once
/// A worker: one thread that runs one job at a time. If it dies, the job that
/// it holds fails; the process continues.

#include "actors/interfaces.hpp"
#include "workers/job_runner.hpp"

#include <functional>
#include <memory>

namespace brewery {

/// What runs the jobs of a run. Called by all threads of a process; null: the
/// run is not open any more.
using runner_lookup =
    std::function<std::shared_ptr<const job_runner>(const run_id& run)>;

worker_actor::behavior_type worker(worker_actor::pointer self,
                                   runner_lookup runners);

} // namespace brewery
