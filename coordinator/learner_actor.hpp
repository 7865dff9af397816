#pragma once
/// The actor around one machine of a learner (learners/learner_machine.hpp). It
/// journals the machine's records before it acts on what follows them, asks the
/// ledger for its jobs, and hands it the answers.

#include "actors/interfaces.hpp"
#include "actors/progress.hpp"
#include "learners/learner_machine.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace brewery {

/// Answers when the machine has finished, with an error if it failed.
using learner_actor = interface<caf::result<bool>(atom::run)>;

struct learner_inputs {
  std::string name; ///< as the board shows it
  /// The actor's alone until it has ended.
  std::shared_ptr<learner_machine> machine;
  ledger_actor ledger;
  std::shared_ptr<progress_board> board; ///< null: nothing is shown
};

struct learner_state {
  static inline const char* name = "learner";
  learner_inputs in;
  std::deque<learner_step> steps; ///< to carry out, oldest first
  std::size_t recording = 0;      ///< records that steps wait for
  std::optional<caf::typed_response_promise<bool>> waiting;
};

learner_actor::behavior_type
play_learner(learner_actor::stateful_pointer<learner_state> self,
             learner_inputs inputs);

} // namespace brewery
