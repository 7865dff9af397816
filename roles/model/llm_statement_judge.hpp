#pragma once
/// The statement judge on a language model: decides a benchmark's assertions in
/// natural language. One call for all statements of a rollout returns one
/// verdict per statement.

#include "roles/model/model_asker.hpp"

namespace brewery {

class llm_statement_judge final : public statement_judge {
public:
  /// `context` belongs to the rollout and must outlive the judge.
  llm_statement_judge(model_asker ask, job_context& context)
      : ask_(std::move(ask)), context_(context) {}

  /// Without statements, it makes no call.
  result<std::vector<bool>>
  holds(const std::vector<std::string>& statements,
        const std::vector<trajectory_step>& events) override;

private:
  model_asker ask_;
  job_context& context_;
};

} // namespace brewery
