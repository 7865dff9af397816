#pragma once
/// Records train attempts for a comparator on a language model, and says how
/// its notes evolve. One call for each step, with the prompts memory-note,
/// memory-note-links and memory-graph. A reply that cannot be used gives
/// nothing, with a note: the attempt is not recorded, or the note changes
/// nothing.

#include "roles/model/model_asker.hpp"

namespace brewery {

class llm_recorder final : public memory_worker {
public:
  explicit llm_recorder(model_asker ask) : ask_(std::move(ask)) {}

  std::string fingerprint() const override;
  result<memory_result> perform(const memory_job& job,
                                const std::vector<std::string>& documents,
                                job_context& context) const override;

private:
  result<memory_result> note(const memory_job& job, job_context& context) const;
  result<memory_result> graph(const memory_job& job,
                              job_context& context) const;
  result<memory_result> evolve(const memory_job& job,
                               job_context& context) const;

  model_asker ask_;
};

} // namespace brewery
