#pragma once
/// Makes the learner MUSE from a configuration.

#include "learners/learner_machine.hpp"
#include "run/setup/problem.hpp"

#include <memory>

namespace brewery {

/// Error ec::invalid_config: `muse.memory` is no memory; the message names the
/// document.
result<std::unique_ptr<learner>>
make_muse(const config& options, const problem& what,
          const fingerprints& prints,
          std::shared_ptr<document_store> documents);

} // namespace brewery
