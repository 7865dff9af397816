#pragma once
/// The machine that plays the tasks of an evaluation with one memory, which
/// does not change. PURE.

#include "learners/muse/muse_learner.hpp"

#include <map>

namespace brewery::muse {

class muse_serving final : public serving_machine {
public:
  /// `count` is filled while it plays.
  muse_serving(std::string name, evaluated_tasks what,
               std::shared_ptr<const muse_settings> settings,
               std::vector<doc_ref> knowledge, attempt_count& count);

  learner_step begin() override;
  learner_step on(const job_result& answer) override;
  [[nodiscard]] learner_view view() const override;
  [[nodiscard]] evaluation_record measured() const override;
  [[nodiscard]] std::vector<job_id> attempts() const override;

private:
  std::string name_;
  evaluated_tasks what_;
  std::shared_ptr<const muse_settings> settings_;
  std::vector<doc_ref> knowledge_;
  attempt_count& count_;
  std::vector<job_id> order_; ///< by task, then by trial
  std::map<job_id, std::optional<job_result>> answers_;
  std::size_t unanswered_ = 0;
  evaluation_record measured_;
};

} // namespace brewery::muse
