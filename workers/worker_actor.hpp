#pragma once
/// A worker: one thread that does one job at a time. Its death fails the job it
/// holds, never the process.

#include "actors/interfaces.hpp"
#include "workers/job_runner.hpp"

namespace brewery {

worker_actor::behavior_type worker(worker_actor::pointer self,
                                   std::shared_ptr<const job_runner> runner);

} // namespace brewery
