#pragma once
/// Makes the roles of a configuration, procedural or on a language model, with
/// a fingerprint of everything their results depend on.

#include "process/error_lines.hpp"
#include "roles/model/model_asker.hpp"

namespace brewery {

struct made_roles {
  role_set roles;
  /// Roles with equal fingerprints give equal results for equal jobs (as far as
  /// models do). Covers options, models and the effective texts of prompts and
  /// rubrics.
  std::string fingerprint;
  /// What of it rollouts depend on, without reflection and with: not on the
  /// integrator, and on the embedder only if it ranks documents.
  std::string playing, reflecting;
  std::string integrating; ///< of the integrator; empty: the usual one
  std::shared_ptr<role_tally> tally; ///< counts of the roles on models
};

/// `benchmark` is the benchmark's name; it determines the parts of documents.
/// `port` may be null if no role is on a model. Error ec::invalid_config: a
/// role on a model has no model or no port. Other errors come from prompt and
/// rubric files, and from the files of a sentence model. `log` gets what the
/// process of a sentence model says and when it is started again.
result<made_roles> make_roles(const role_options& options,
                              std::string_view benchmark,
                              std::shared_ptr<model_port> port,
                              child::log_sink log = {});

} // namespace brewery
