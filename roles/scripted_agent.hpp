#pragma once
/// An agent that replays calls from a file, for tests, benches and examples. It
/// does everything that an agent on a model does, except asking the model.
///
///   DIR/TASK.json   ["import openpyxl\n...", "..."]      code cells, or
///                   {"cells": ["..."]}                   the same, or
///                   [{"tool": "python", "arguments": {"code": "..."}}]
///
/// It queries the retrieval session with the task like other agents, but
/// ignores the documents and follows the file.

#include "roles/options.hpp"
#include "roles/roles.hpp"

namespace brewery {

class scripted_agent final : public agent {
public:
  /// Reads all scripts. Errors name the file and the problem.
  static result<std::shared_ptr<const scripted_agent>>
  load(const agent_options& options);

  std::string fingerprint() const override { return fingerprint_; }

  /// Returns an error for a task without a script.
  result<trajectory> attempt(const task_info& task, environment& env,
                             retrieval_session& retrieval,
                             std::uint64_t draw_key,
                             job_context& context) const override;

private:
  scripted_agent() = default;

  std::uint32_t max_calls_ = 100;
  std::map<std::string, std::vector<tool_call>> scripts_; ///< by task
  std::string fingerprint_;
};

} // namespace brewery
