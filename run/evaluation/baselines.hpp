#pragma once
/// The paper's baselines as arms of a run's final evaluation; see
/// roles/example_attempts.hpp.

#include "kb/document.hpp"
#include "learners/brew/settings.hpp"
#include "store/run_directory.hpp"

namespace brewery {

/// The examples for in-context learning: the run's successful initial rollouts
/// of train tasks, read from its log. They are added to `to` as documents, as
/// the kind of agent is shown them. Empty if none succeeded.
result<std::vector<doc_ref>> example_knowledge(const run_directory& run,
                                               const brew_settings& settings,
                                               std::string_view agent,
                                               document_store& to);

} // namespace brewery
