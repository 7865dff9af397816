#pragma once
/// Does one job: a rollout (agent, grade, judge, reflector), an integration or
/// an embedding. Holds the roles and the benchmark; immutable but for a cache
/// of knowledge bases, so all workers of a process share one. A job's result is
/// a function of the job (wall time aside).

#include "kb/bm25.hpp"
#include "messages/job_msgs.hpp"
#include "roles/options.hpp"
#include "roles/roles.hpp"

#include <functional>
#include <mutex>

namespace brewery {

struct job_roles {
  std::shared_ptr<const agent> actor;
  std::shared_ptr<const judge> critic;
  std::shared_ptr<const reflector> learner;
  std::shared_ptr<const integrator> writer;
  std::shared_ptr<const embedder> space;
};

class job_runner {
public:
  job_runner(std::shared_ptr<const benchmark> tasks, job_roles roles,
             std::shared_ptr<document_store> documents,
             retrieval_options retrieval,
             std::function<void(double)> on_search = {});

  /// Error when the job itself cannot be done (unknown task or document). An
  /// environment that breaks is the rollout's own outcome.
  result<job_result> run(const job& work) const;

  [[nodiscard]] const benchmark& tasks() const { return *tasks_; }

private:
  result<rollout_result> rollout(const rollout_job& work) const;
  result<std::shared_ptr<const shelf>>
  shelf_for(const std::vector<doc_ref>& knowledge) const;

  std::shared_ptr<const benchmark> tasks_;
  job_roles roles_;
  std::shared_ptr<document_store> documents_;
  retrieval_options retrieval_;
  std::function<void(double)> on_search_; ///< seconds of a retrieval; 0..1
  std::map<task_id, const task_info*> by_id_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const shelf>> shelves_;
};

} // namespace brewery
