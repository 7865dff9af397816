#pragma once
/// The machine that learns: batches of attempts, and a barrier after each at
/// which what they bring is merged. Refers to the state of its learner. PURE.

#include "learners/brew/told_pool.hpp"
#include "learners/muse/muse_learner.hpp"
#include "learners/muse/usual_lines.hpp"
#include "messages/memory/memory_record.hpp"

#include <map>
#include <optional>
#include <set>

namespace brewery::muse {

class muse_learning final : public learner_machine {
public:
  muse_learning(std::shared_ptr<const muse_settings> settings,
                muse_learner::state& state);

  learner_step begin() override;
  learner_step on(const job_result& answer) override;
  [[nodiscard]] learner_view view() const override;

private:
  enum class phase : std::uint8_t { attempts, distillation, done };

  /// How often a call of a tool changed what a look reports.
  using seen_in = std::map<std::string, std::map<std::string, std::uint32_t>>;

  learner_step attempt_next();
  learner_step merge_batch();
  learner_step finish_barrier();
  learner_step fail(std::string why);

  void take(const learner_task& task, const rollout_result& made);
  void take_refined(const std::string& application, const job_result& answer);
  [[nodiscard]] wanted_job distil(const std::string& application);
  [[nodiscard]] wanted_job refine(const std::string& application) const;
  void note_tools();
  void note_changes(const merge_report& done);

  std::shared_ptr<const muse_settings> settings_;
  muse_learner::state& state_;
  phase now_ = phase::attempts;
  std::uint32_t iteration_ = 0, barrier_ = 0;
  std::size_t next_task_ = 0; ///< of this iteration
  /// The jobs that are waited for, in order, with their answers.
  std::vector<job_id> order_;
  std::map<job_id, std::optional<job_result>> answers_;
  std::size_t unanswered_ = 0;
  std::vector<std::size_t> batch_;         ///< indices of its tasks
  std::vector<std::string> distilling_;    ///< applications, as `order_`
  std::map<std::string, told_pool> pools_; ///< by application
  std::set<std::string> touched_;          ///< since the last distillation
  /// Entries by application that the last distillation of it left.
  std::map<std::string, std::vector<std::string>> distilled_;
  std::map<std::string, std::set<std::string>> looks_; ///< by application
  usual_lines usual_;
  seen_in revealed_;
  std::vector<memory_change> changes_; ///< since the last barrier
  double reward_ = 0;                  ///< sum over the first iteration
  std::size_t graded_ = 0;
};

} // namespace brewery::muse
