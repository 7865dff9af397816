#pragma once
/// The baselines of the paper as arms of a run's final evaluation; see
/// roles/examples.hpp.

#include "kb/document.hpp"
#include "learners/brew/settings.hpp"
#include "store/run_directory.hpp"

namespace brewery {

/// The examples for in-context learning: the successful initial rollouts of the
/// train tasks, from the run's own log, as documents that are added to `to`.
/// Empty when none succeeded.
result<std::vector<doc_ref>> example_knowledge(const run_directory& run,
                                               const brew_settings& settings,
                                               document_store& to);

} // namespace brewery
