#pragma once
/// The judge on a language model. One call returns one rating per rubric, each
/// with a reason that names steps.

#include "roles/model/model_asker.hpp"
#include "roles/prompts/rubrics.hpp"

namespace brewery {

class llm_judge final : public judge {
public:
  llm_judge(model_asker ask, std::vector<rubric> rubrics);

  result<std::vector<rubric_rating>> rate(const graded_attempt& attempt,
                                          job_context& context) const override;

  [[nodiscard]] std::string fingerprint() const;

private:
  model_asker ask_;
  std::string rubrics_; ///< as text for the prompt
  std::vector<std::string> names_;
};

} // namespace brewery
