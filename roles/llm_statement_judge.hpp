#pragma once
/// Decides a benchmark's assertions in natural language on a language model:
/// one call for all statements of a rollout, one verdict for each.

#include "roles/model_asker.hpp"

namespace brewery {

class llm_statement_judge final : public statement_judge {
public:
  /// `context` is the rollout's and has to outlive it.
  llm_statement_judge(model_asker ask, job_context& context)
      : ask_(std::move(ask)), context_(context) {}

  /// No statements, no call.
  result<std::vector<bool>>
  holds(const std::vector<std::string>& statements,
        const std::vector<trajectory_step>& events) override;

private:
  model_asker ask_;
  job_context& context_;
};

} // namespace brewery
