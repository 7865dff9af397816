#pragma once
/// The step "refine" of MUSE on a language model: the procedures of one
/// application, merged and put in order. A reply that is no use gives no text,
/// so the memory stays as it was, and a note.

#include "roles/model/model_asker.hpp"

namespace brewery {

class llm_refiner final : public memory_worker {
public:
  explicit llm_refiner(model_asker ask) : ask_(std::move(ask)) {}

  std::string fingerprint() const override;

  /// Takes the texts "application" and "procedures"; gives "procedures".
  result<memory_result> perform(const memory_job& job,
                                const std::vector<std::string>& documents,
                                job_context& context) const override;

private:
  model_asker ask_;
};

} // namespace brewery
