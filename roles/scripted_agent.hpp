#pragma once
/// An agent that plays from a file: for tests, benches and examples that take
/// every step a model's agent takes, but for the model.
///
///   DIR/TASK.json   ["import openpyxl\n...", "..."]      code cells, or
///                   {"cells": ["..."]}                   the same, or
///                   [{"tool": "python", "arguments": {"code": "..."}}]
///
/// It consults the librarian with the task as the others do, and then does what
/// the file says, whatever the documents say.

#include "roles/options.hpp"
#include "roles/roles.hpp"

namespace brewery {

class scripted_agent final : public agent {
public:
  /// Reads all scripts. Errors name the file and what is wrong in it.
  static result<std::shared_ptr<const scripted_agent>>
  load(const agent_options& options);

  std::string fingerprint() const override { return fingerprint_; }

  /// A task without a script is not attempted.
  result<trajectory> attempt(const task_info& task, environment& env,
                             librarian& library, std::uint64_t draw_key,
                             job_context& context) const override;

private:
  scripted_agent() = default;

  std::uint32_t max_calls_ = 100;
  std::map<std::string, std::vector<tool_call>> scripts_; ///< by task
  std::string fingerprint_;
};

} // namespace brewery
