#pragma once
/// A worker: one thread that runs one job at a time. If it dies, the job that
/// it holds fails; the process continues.

#include "actors/interfaces.hpp"
#include "workers/job_runner.hpp"

namespace brewery {

worker_actor::behavior_type worker(worker_actor::pointer self,
                                   std::shared_ptr<const job_runner> runner);

} // namespace brewery
