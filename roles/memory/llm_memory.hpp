#pragma once
/// The memory role of Agent KB on a language model. One call for each step,
/// with the prompts memory-experience, memory-query, memory-guidance and
/// memory-merge. A reply that cannot be used is no failure of the job: the step
/// then gives nothing, with a note, so memory and guidance stay as they were.

#include "roles/model/model_asker.hpp"

namespace brewery {

class llm_memory final : public memory_worker {
public:
  explicit llm_memory(model_asker ask) : ask_(std::move(ask)) {}

  std::string fingerprint() const override;
  result<memory_result> perform(const memory_job& job,
                                const std::vector<std::string>& documents,
                                job_context& context) const override;

private:
  result<memory_result> abstract(const memory_job& job,
                                 const std::vector<std::string>& lessons,
                                 job_context& context) const;
  result<memory_result> query(const memory_job& job, bool issues,
                              job_context& context) const;
  result<memory_result> guide(const memory_job& job,
                              job_context& context) const;
  result<memory_result> merge(const memory_job& job,
                              job_context& context) const;

  model_asker ask_;
};

} // namespace brewery
