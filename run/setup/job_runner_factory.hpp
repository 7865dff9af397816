#pragma once
/// Builds the job runner for a configuration, in this process or a worker.

#include "actors/process_metrics.hpp"
#include "config/config.hpp"
#include "llm/model_port.hpp"
#include "workers/job_runner.hpp"

#include <memory>
#include <string>

namespace brewery {

/// A job runner with its fingerprint. The fingerprint leaves out the names of
/// the models on their servers, which a worker does not know.
struct configured_runner {
  std::shared_ptr<const job_runner> runner;
  std::string fingerprint;
  std::string playing, reflecting; ///< what of it rollouts depend on
  std::string integrating; ///< what documents depend on; empty: the usual
};

/// `models` may be null if no role uses one. `graders` may be empty. Errors:
/// those of make_roles.
result<configured_runner>
make_job_runner(const config& options, std::shared_ptr<const benchmark> source,
                std::shared_ptr<document_store> documents,
                std::shared_ptr<process_metrics> metrics,
                std::shared_ptr<model_port> models, grader_maker graders = {});

} // namespace brewery
