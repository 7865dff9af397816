#pragma once
/// How Agent KB learns from the train tasks, as a machine; agent_kb.hpp has the
/// order of its phases. PURE.

#include "learners/agent_kb/agent_kb.hpp"

#include <set>

namespace brewery {

class agent_kb_learner::learning_machine final : public learner_machine {
public:
  explicit learning_machine(const agent_kb_learner& of);

  learner_step begin() override;
  learner_step on(const job_result& answer) override;
  [[nodiscard]] learner_view view() const override;

  [[nodiscard]] const experience_base& base() const { return base_; }
  [[nodiscard]] double initial_success() const { return initial_success_; }
  /// The memory for sessions, as it stands.
  [[nodiscard]] result<std::shared_ptr<const session_settings>> memory() const;

private:
  enum class phase : std::uint8_t {
    playing,
    lessons,
    abstracting,
    placing,
    arbitrating,
    merging,
    over
  };

  /// The best attempt at a train task so far.
  struct known_attempt {
    attempt_log log; ///< with its grade
    double reward = -1;
  };

  void await(std::vector<wanted_job>& to, job work, bool whole);
  void learn_from(const rollout_result& made, attempt_log log);
  learner_step first_played();
  learner_step round_played();
  learner_step next_round();
  learner_step ask_lessons();
  learner_step ask_abstractions();
  learner_step ask_places();
  learner_step ask_vectors();
  bool take_vectors(std::size_t candidate);
  learner_step admit_placed();
  // arbitration.cpp
  learner_step ask_arbiter();
  learner_step ask_merged_places();
  learner_step merge_placed();
  learner_step close_barrier();
  [[nodiscard]] std::string why_empty() const;
  learner_step fail(error why);

  const agent_kb_learner& of_;
  experience_base base_;
  phase phase_ = phase::playing;
  std::uint32_t round_ = 0;
  double initial_success_ = 0;

  std::map<job_id, std::optional<job_result>> answers_; ///< of this phase
  std::size_t unanswered_ = 0;
  std::vector<job_id> order_;
  std::size_t failed_jobs_ = 0; ///< outside of sessions
  std::string first_failure_;   ///< why the first of them failed
  session_group sessions_;      ///< of a round after the first
  bool in_sessions_ = false;

  std::map<task_id, known_attempt> best_;
  std::map<std::string, told_pool> topics_; ///< insights by their topic
  std::vector<doc_hash> lessons_;
  std::vector<candidate_experience> candidates_;
  std::vector<std::pair<doc_hash, doc_hash>> rivals_; ///< under arbitration
};

} // namespace brewery
