#pragma once
/// What the learner MUSE is given: fixed before its first job.

#include "kb/document.hpp"
#include "kb/muse/memory.hpp"
#include "learners/brew/settings.hpp"
#include "learners/muse/options.hpp"

#include <memory>

namespace brewery::muse {

struct muse_settings {
  brew_settings playing; ///< how rollouts are made; its train tasks, in order
  muse_options how;
  memory first; ///< what the memory begins with
  /// Attempts are reflected on, and the integrator distils what they show:
  /// without a language model. False: attempts bring their own lessons.
  bool distils = true;
  /// The fingerprint of the role that refines what attempts bring; empty:
  /// nobody does.
  std::string refiner;
  std::shared_ptr<document_store> documents;
};

/// As in rollout_job: the agent plans, acts and checks.
inline constexpr std::string_view muse_method = "muse";
/// The same for attempts that nothing is learned from.
inline constexpr std::string_view muse_frozen_method = "muse-frozen";

/// The memory's documents that attempts are given, and their references.
std::vector<doc_ref> knowledge_of(const memory& from,
                                  const muse_settings& settings);

} // namespace brewery::muse
