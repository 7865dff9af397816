#pragma once
/// One task under Agent KB: reason, retrieve and refine before the attempt,
/// then again over its log before a second one (the paper's student and teacher
/// passes). A state machine: answers in, jobs out. What is retrieved is decided
/// here, before the rollout is asked for, so the rollout names the guidance
/// alone: a change of the base that changes no guidance plays nothing again.
///
///   survey -> reason -> embed -> retrieve -> refine -> rollout
///          -> review -> embed -> retrieve -> advise -> embed -> gate ->
///          rollout
///
/// The second pass sees the log of the first attempt, not its grade, unless the
/// learner is the one with an oracle: that one is told the grade, and tries
/// nothing again that is solved. All attempts count; the answer is the last
/// one's.
///
/// Without `reason` nobody condenses: the searches are for the task's text, and
/// for that with the last lines of the log. Without `refine` an attempt is
/// given what was found as it is, and there is no gate. Owned by one machine.
/// PURE.

#include "kb/document.hpp"
#include "learners/agent_kb/experience_base.hpp"
#include "learners/learner_machine.hpp"
#include "messages/memory/agent_kb_steps.hpp"

#include <functional>
#include <memory>
#include <set>

namespace brewery {

/// What the sessions of one learner share. Fixed while they run.
struct session_settings {
  brew_settings search; ///< for rollout jobs
  agent_kb_options options;
  std::string domain;  ///< of the benchmark
  bool oracle = false; ///< feedback is told grades, also of sealed tasks
  /// The agent says of each call whether a rule made it, as the procedural one.
  bool says_why = true;
  std::shared_ptr<document_store> documents;
  /// The base as it stands, and the texts of its entries by place.
  experience_index index;
  std::vector<std::string> markdown;
};

/// What of the method a session does.
enum class session_kind : std::uint8_t {
  full,        ///< by the options
  planning,    ///< the first attempt alone
  blind_retry, ///< the second attempt with the guidance of the first
  retry,       ///< two attempts without knowledge
};

/// A finished attempt.
struct session_attempt {
  rollout_result rollout; ///< without its trajectory
  attempt_log log{};      ///< for the learner; else empty
  std::size_t calls = 0;  ///< of tools
  /// Experiences whose steps were followed, or cited by what was shown.
  std::vector<doc_hash> used;
};

class task_session {
public:
  /// The attempts are trials `trial` and `retry_trial` of the task. `reflect`:
  /// they are reviewed, because the learner learns from them.
  task_session(std::shared_ptr<const session_settings> settings,
               session_kind kind, learner_task task, std::uint32_t trial,
               std::uint32_t retry_trial, bool reflect);

  /// The jobs that are asked for now, each by the whole machine.
  std::vector<wanted_job> begin();
  std::vector<wanted_job> on(const job_result& answer);

  [[nodiscard]] bool over() const { return over_; }
  /// Why it cannot go on: a job of it was given up. It is over then, and its
  /// attempts so far stand.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] const learner_task& task() const { return task_; }
  [[nodiscard]] const std::vector<session_attempt>& attempts() const {
    return attempts_;
  }
  [[nodiscard]] std::size_t survey_calls() const { return survey_calls_; }
  [[nodiscard]] bool gated() const { return gated_; } ///< kept the first plan

private:
  using orders = std::vector<wanted_job>;
  using continuation = orders (task_session::*)(const job_result&);

  orders ask(job work, bool whole, continuation then);
  orders ask_memory(memory_job work, continuation then);
  orders ask_vectors(std::vector<std::string> texts, continuation then);
  [[nodiscard]] memory_job step(const char* name) const;
  orders stop(std::string why);

  orders reason();
  orders surveyed(const job_result& answer);
  orders reasoned(const job_result& answer);
  orders ask_place();
  orders placed(const job_result& answer);
  orders refined(const job_result& answer);
  orders attempt(std::uint32_t trial);
  void note_tools(const std::vector<trajectory_step>& steps);
  [[nodiscard]] session_attempt finished(const job_result& answer);
  orders attempted(const job_result& answer);
  orders retried(const job_result& answer);
  orders review();
  orders reviewed(const job_result& answer);
  orders issues_placed(const job_result& answer);
  orders advised(const job_result& answer);
  orders compared_plans(const job_result& answer);

  /// Adds what is found for a query to `hits_`.
  void retrieve(const std::string& text, facet_vectors facets);
  void give_as_found();
  void add_experiences(memory_job& to) const;
  void take_guidance(const memory_result& made);
  [[nodiscard]] std::vector<std::size_t>
  shown_in(const std::vector<retrieval_record>& retrievals) const;
  [[nodiscard]] std::vector<doc_hash>
  used_in(const rollout_result& attempt) const;

  std::shared_ptr<const session_settings> settings_;
  session_kind kind_;
  learner_task task_;
  std::uint32_t trial_, retry_trial_;
  bool reflect_;

  job_id awaited_;
  continuation then_ = nullptr;
  bool over_ = false;
  bool gated_ = false;
  std::string trouble_;
  std::size_t survey_calls_ = 0;
  std::vector<attempt_log> survey_; ///< at most one
  std::set<std::string> tools_;     ///< that were called so far
  std::string query_, goal_;
  std::vector<std::string> issues_;
  std::vector<std::size_t> hits_;  ///< places in the index, in order
  std::vector<std::size_t> cited_; ///< of them, what the guidance is made of
  /// What the plan before the advice was made of, whose rules may still be in.
  std::vector<std::size_t> planned_;
  std::vector<doc_ref> knowledge_; ///< what the next attempt is given
  std::string guidance_, advice_;
  std::vector<doc_ref> advised_knowledge_; ///< until the gate has decided
  std::vector<std::size_t> advised_cites_;
  attempt_log first_;
  std::vector<session_attempt> attempts_;
};

} // namespace brewery
