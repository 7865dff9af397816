#pragma once
/// Makes the learner MUSE from a configuration.

#include "learners/learner_machine.hpp"
#include "run/setup/problem.hpp"

#include <memory>

namespace brewery {

/// Whether the memory that it begins with can be read, and there is one if
/// nothing is learned. Errors as of `make_muse`, and ec::invalid_config.
result<void> check_muse(const config& options);

/// Error ec::invalid_config: `muse.memory` is no memory; the message names the
/// file and the line.
result<std::unique_ptr<learner>>
make_muse(const config& options, const problem& what,
          const fingerprints& prints,
          std::shared_ptr<document_store> documents);

} // namespace brewery
