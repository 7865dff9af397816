#pragma once
/// The reflector on a language model. One call returns (concept, insight) pairs
/// with the steps that support them. The prompt lists the concepts of the
/// knowledge base, so that new insights get the topic of an existing document.

#include "roles/model/model_asker.hpp"

namespace brewery {

class llm_reflector final : public reflector {
public:
  llm_reflector(model_asker ask, std::uint32_t max_insights)
      : ask_(std::move(ask)), max_insights_(max_insights) {}

  result<std::vector<insight>>
  reflect(const graded_attempt& attempt,
          const std::vector<rubric_rating>& ratings,
          job_context& context) const override;

  [[nodiscard]] std::string fingerprint() const;

private:
  model_asker ask_;
  std::uint32_t max_insights_;
};

} // namespace brewery
