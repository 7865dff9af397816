#pragma once
/// Runs one job: a rollout (agent, grade, judge, reflector), an integration, an
/// embedding, the grade of a rollout that ran elsewhere, or a step on a
/// learner's memory. Holds the roles and the benchmark. Immutable except for a
/// cache of knowledge bases, so all workers of a process share one. A job's
/// result is a function of the job, except for its wall time.

#include "messages/job_msgs.hpp"
#include "roles/options.hpp"
#include "roles/roles.hpp"
#include "roles/text_vectors.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>

namespace brewery {

/// Lets others watch and stop a running job. Shared by the thread that runs it
/// and those that watch it.
struct job_control {
  std::atomic<bool> cancelled{false};
  std::atomic<std::uint64_t> steps{0}; ///< tool calls so far
  run_id run{}; ///< whose job it is, if the process plays several runs
};

/// Thrown through a rollout that is cancelled.
struct job_cancelled final : std::exception {
  [[nodiscard]] const char* what() const noexcept override {
    return "cancelled";
  }
};

/// Makes the source of a rollout's grades when they come from elsewhere,
/// because this process may not have the goldens. Empty: the benchmark grades
/// here.
using grader_maker = std::function<std::shared_ptr<const answer_grader>(
    const job_context& context)>;

class job_runner {
public:
  job_runner(std::shared_ptr<const benchmark> tasks, role_set roles,
             std::shared_ptr<document_store> documents,
             retrieval_options retrieval,
             std::function<void(double)> on_search = {},
             std::chrono::milliseconds simulated_latency = {},
             grader_maker graders = {});

  /// Returns an error when the job itself cannot be done (unknown task or
  /// document). A failing environment is an outcome of the rollout, not an
  /// error. A reply of the judge or the reflector that cannot be used leaves a
  /// note in place of the ratings or insights; the grade stays. Throws
  /// job_cancelled once `control` requests it.
  result<job_result> run(const job& work, job_control* control = nullptr) const;

  /// The documents that a job names and that this process lacks.
  [[nodiscard]] std::vector<doc_hash> missing_documents(const job& work) const;
  void add_document(std::string body) const {
    documents_->add(std::move(body));
  }

  [[nodiscard]] const benchmark& tasks() const { return *tasks_; }

private:
  result<rollout_result> perform(const rollout_job& work,
                                 job_control* control) const;
  result<void> reflect(const graded_attempt& attempt, rollout_result& out,
                       job_context& context) const;
  result<integrate_result> perform(const integrate_job& work,
                                   job_control* control) const;
  result<embed_result> perform(const embed_job& work,
                               job_control* control) const;
  result<memory_result> perform(const memory_job& work,
                                job_control* control) const;
  result<grade_result> perform(const grade_job& work,
                               job_control* control) const;
  result<told_insights> told_by(const told_insights& named) const;
  review review_of(const graded_attempt& attempt, job_context& context) const;
  result<std::shared_ptr<const kb_index>>
  index_for(const std::vector<doc_ref>& knowledge,
            const job_context& asker) const;
  [[nodiscard]] retrieval_session
  retrieval_for(std::shared_ptr<const kb_index> index,
                const job_context& asker) const;
  result<rollout_result> play(const rollout_job& work, const task_info& task,
                              retrieval_session& retrieval,
                              job_context& context, job_control* control) const;

  std::shared_ptr<const benchmark> tasks_;
  role_set roles_;
  std::shared_ptr<document_store> documents_;
  retrieval_options retrieval_;
  std::shared_ptr<const text_vectors> vectors_; ///< null: none are needed
  std::function<void(double)>
      on_search_; ///< duration of a retrieval in seconds; may be empty
  std::chrono::milliseconds simulated_latency_; ///< added to every tool call
  grader_maker graders_;
  std::map<task_id, const task_info*> by_id_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const kb_index>> indexes_;
  mutable pool_reference told_for_; ///< the last that a list was made for
  mutable told_insights told_;      ///< that list
};

} // namespace brewery
