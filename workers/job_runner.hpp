#pragma once
/// Does one job: a rollout (agent, grade, judge, reflector), an integration, an
/// embedding or the grade of a rollout that was played elsewhere. Holds the
/// roles and the benchmark; immutable but for a cache of knowledge bases, so
/// all workers of a process share one. A job's result is a function of the job
/// (wall time aside).

#include "kb/bm25.hpp"
#include "messages/job_msgs.hpp"
#include "roles/options.hpp"
#include "roles/roles.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>

namespace brewery {

/// How a job is seen and stopped while it runs; shared by who runs it and who
/// watches.
struct job_control {
  std::atomic<bool> cancelled{false};
  std::atomic<std::uint64_t> steps{0}; ///< tool calls so far
};

/// Thrown through a rollout that was cancelled.
struct job_cancelled final : std::exception {
  [[nodiscard]] const char* what() const noexcept override {
    return "cancelled";
  }
};

/// Grades of a rollout that come from elsewhere, because this process may not
/// have what answers are compared with. Empty: the benchmark's own grades
/// count.
using grader_maker = std::function<std::shared_ptr<const answer_grader>(
    const job_context& context)>;

class job_runner {
public:
  job_runner(std::shared_ptr<const benchmark> tasks, job_roles roles,
             std::shared_ptr<document_store> documents,
             retrieval_options retrieval,
             std::function<void(double)> on_search = {},
             std::chrono::milliseconds simulated_latency = {},
             grader_maker graders = {});

  /// Error when the job itself cannot be done (unknown task or document). An
  /// environment that breaks is the rollout's own outcome. Throws
  /// job_cancelled once `control` says so.
  result<job_result> run(const job& work, job_control* control = nullptr) const;

  /// The documents that a job names and this process does not have.
  [[nodiscard]] std::vector<doc_hash> missing_documents(const job& work) const;
  void add_document(std::string body) const {
    documents_->add(std::move(body));
  }

  [[nodiscard]] const benchmark& tasks() const { return *tasks_; }

private:
  result<rollout_result> rollout(const rollout_job& work,
                                 job_control* control) const;
  result<grade_result> grade(const grade_job& work) const;
  result<std::shared_ptr<const shelf>>
  shelf_for(const std::vector<doc_ref>& knowledge) const;

  std::shared_ptr<const benchmark> tasks_;
  job_roles roles_;
  std::shared_ptr<document_store> documents_;
  retrieval_options retrieval_;
  std::function<void(double)> on_search_; ///< seconds of a retrieval; 0..1
  std::chrono::milliseconds simulated_latency_; ///< of every tool call
  grader_maker graders_;
  std::map<task_id, const task_info*> by_id_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const shelf>> shelves_;
};

} // namespace brewery
