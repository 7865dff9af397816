#pragma once
/// What does a configuration's jobs, in this process or a worker.

#include "actors/probes.hpp"
#include "config/config.hpp"
#include "workers/job_runner.hpp"

#include <memory>
#include <string>

namespace brewery {

/// The runner and the fingerprint that a configuration asks for, the models'
/// own names not included: a worker does not know them.
struct workshop {
  std::shared_ptr<const job_runner> runner;
  std::string fingerprint;
};

/// `models` may be null if no role uses one; `graders` may be empty. Errors as
/// make_roles.
result<workshop> make_workshop(const config& options,
                               std::shared_ptr<const benchmark> source,
                               std::shared_ptr<document_store> documents,
                               std::shared_ptr<probes> metrics,
                               std::shared_ptr<model_port> models,
                               grader_maker graders = {});

} // namespace brewery
