#pragma once
/// The roles that a configuration asks for, procedural or on a language model,
/// and what their results depend on.

#include "roles/model_asker.hpp"

namespace brewery {

struct made_roles {
  job_roles roles;
  /// Equal where equal jobs have equal results (as far as models do): options,
  /// models and the effective texts of prompts and rubrics.
  std::string fingerprint;
  std::shared_ptr<role_tally> tally; ///< of the roles on models
};

/// `benchmark`: its name, which decides the parts of documents. `port` may be
/// null if no role is on a model. Errors: ec::invalid_config for a role on a
/// model without a model or a port, and those of prompt and rubric files.
result<made_roles> make_roles(const role_options& options,
                              std::string_view benchmark,
                              std::shared_ptr<model_port> port);

} // namespace brewery
