#pragma once
/// An arm of Agent KB in an evaluation: every task and trial is a session with
/// the memory as it stands. The reward of a trial is that of the last attempt;
/// all attempts and calls are counted. PURE.

#include "learners/agent_kb/task_session.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

/// Sessions that are played side by side. One job may be awaited by several.
class session_group {
public:
  /// To be called before any answer.
  std::vector<wanted_job> begin(std::vector<std::unique_ptr<task_session>> all);
  std::vector<wanted_job> on(const job_result& answer);

  [[nodiscard]] std::size_t left() const { return left_; }
  [[nodiscard]] const std::vector<std::unique_ptr<task_session>>& all() const {
    return sessions_;
  }

private:
  std::vector<wanted_job> asked(std::size_t session,
                                std::vector<wanted_job> orders);

  std::vector<std::unique_ptr<task_session>> sessions_;
  /// By job: the sessions that have asked for it, in order. Each is answered
  /// once for each time that it was asked for.
  std::multimap<job_id, std::size_t> waiting_;
  std::size_t left_ = 0;
};

class agent_kb_arm final : public serving_machine {
public:
  agent_kb_arm(std::string name, session_kind kind,
               std::shared_ptr<const session_settings> settings,
               evaluated_tasks what);

  learner_step begin() override;
  learner_step on(const job_result& answer) override;
  [[nodiscard]] learner_view view() const override;
  [[nodiscard]] evaluation_record measured() const override;
  [[nodiscard]] std::vector<job_id> attempts() const override;

private:
  /// The last attempt of a session; null: it came to none.
  [[nodiscard]] const rollout_result* answer_of(std::size_t session) const;

  std::string name_;
  session_kind kind_;
  std::shared_ptr<const session_settings> settings_;
  evaluated_tasks what_;
  session_group sessions_;
};

} // namespace brewery
