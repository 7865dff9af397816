#pragma once
/// Makes the learner that a configuration asks for, if it is not BREW: BREW's
/// searches are played by run/searches.

#include "learners/learner_machine.hpp"
#include "run/setup/problem.hpp"

#include <memory>

namespace brewery {

/// Null: the learner is BREW.
result<std::unique_ptr<learner>>
make_learner(const config& options, const problem& what,
             const fingerprints& prints,
             std::shared_ptr<document_store> documents);

/// Whether what the learner begins with can be read, and is there if it learns
/// nothing.
result<void> check_learner(const config& options);

} // namespace brewery
