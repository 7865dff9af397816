#pragma once
/// Judge and reflector on one language model, in one call: the attempt, which
/// is most of both prompts, is read and paid once. The reply has the ratings
/// first, then the insights. If one of them cannot be used, the repair turn is
/// for it alone and the other one is kept.

#include "roles/model/model_asker.hpp"
#include "roles/model/replies.hpp"
#include "roles/prompts/rubrics.hpp"

namespace brewery {

class llm_reviewer final : public reviewer {
public:
  /// Calls are the reflector's: `ask` has its name and model.
  llm_reviewer(model_asker ask, std::vector<rubric> rubrics,
               std::uint32_t max_insights);

  review study(const graded_attempt& attempt,
               job_context& context) const override;

  [[nodiscard]] std::string fingerprint() const;

private:
  [[nodiscard]] chat_request request_for(const graded_attempt& attempt,
                                         const insight_limits& limits) const;

  model_asker ask_;
  std::string rubrics_; ///< as text for the prompt
  std::vector<std::string> names_;
  std::uint32_t max_insights_;
};

} // namespace brewery
