#pragma once
/// Writes the memory of a comparator from the rollouts with which a search of
/// BREW begins, as a machine. kb/comparators has the mechanisms.
///
///   first rollouts -> record each (role) -> [evolve, note by note (role)]
///                  -> documents
///
/// All graded rollouts are recorded, solved or not, in the order of trials,
/// then of tasks. Notes evolve one after the other, because each is read with
/// what those before it have become. An attempt or a note about which the role
/// says nothing of use changes nothing. The documents are on record as one
/// memory_record, so a finished run knows what its arm was given. PURE.

#include "kb/comparators/note_memory.hpp"
#include "kb/document.hpp"
#include "learners/learner_machine.hpp"
#include "messages/memory/comparator_steps.hpp"

#include <map>
#include <memory>
#include <optional>

namespace brewery {

struct comparator_settings {
  std::string arm;      ///< one of `comparators`
  brew_settings search; ///< its train tasks and initial trials
  /// A role says how notes evolve; else the rule of note_memory does.
  bool asks_to_evolve = false;
  std::shared_ptr<document_store> documents;
};

/// The documents of a memory, as an attempt is given them.
std::vector<doc_ref> refs_of(const std::vector<std::string>& hashes);

class comparator_memory final : public learner_machine {
public:
  explicit comparator_memory(comparator_settings settings);

  learner_step begin() override;
  learner_step on(const job_result& answer) override;
  [[nodiscard]] learner_view view() const override;

  /// Once it has finished.
  [[nodiscard]] const std::vector<std::string>& hashes() const {
    return hashes_;
  }

private:
  enum class phase : std::uint8_t { playing, recording, evolving, over };

  void await(std::vector<wanted_job>& to, job work, bool whole);
  learner_step record_attempts();
  learner_step build();
  learner_step evolve();
  learner_step finish(std::vector<std::string> texts);
  [[nodiscard]] memory_job step(const char* name) const;

  comparator_settings settings_;
  phase phase_ = phase::playing;
  std::map<job_id, std::optional<job_result>> answers_; ///< of this phase
  std::vector<job_id> order_;
  std::vector<bool> solved_; ///< of the attempts that are recorded
  std::size_t unanswered_ = 0;
  std::optional<note_memory> notes_;
  std::vector<std::string> hashes_;
};

} // namespace brewery
