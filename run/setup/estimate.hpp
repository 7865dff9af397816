#pragma once
/// Estimates a run before it starts: the number of jobs by kind, and from that
/// calls, tokens, cost and time. Results are ranges, because the number of
/// concepts is unknown, and also how many tasks belong to each. PURE.

#include "config/config.hpp"
#include "llm/accounts/price.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

struct range {
  double low = 0, high = 0;
  range& operator+=(const range& other);
};
range operator*(const range& a, const range& b);

/// The number of tasks used from each split.
struct task_counts {
  std::size_t train = 0, eval = 0, test = 0;
};

/// The jobs of a whole run, summed over all strategies.
struct job_counts {
  range learning;     ///< rollouts before the evaluation, not to score
  range scoring;      ///< rollouts that score candidates
  range testing;      ///< rollouts of the final evaluation
  range integrations; ///< documents written
  range embeddings;   ///< jobs, each of many texts
  range memory{};     ///< steps on the memory of a learner other than BREW
  /// Of those of `learning`, what judge and reflector get; empty: all.
  std::optional<range> reflected = {};
  /// Of a finished run; empty: the sum of the above.
  std::optional<double> played = {};

  [[nodiscard]] range rollouts() const;
};

/// `concepts` is the possible number of concepts. The low end omits what an
/// earlier job answers: scoring rollouts of the same task with the same
/// documents shown, and strategies that select as the first one does. All
/// strategies share the first documents.
job_counts count_jobs(const config& options, const task_counts& tasks,
                      const range& concepts);

/// The model use of one role for one job of its kind.
struct role_use {
  range calls;              ///< per job
  double prompt_tokens = 0; ///< per call
  double cached_tokens = 0; ///< of these; from the server's cache
  double reply_tokens = 0;  ///< per call
  double seconds = 0;       ///< per call
  /// What each call of a job adds to the prompt of the next one. Then
  /// `prompt_tokens` are those of the first. 0: they are a mean.
  double growth_tokens = 0;
};

struct role_estimate {
  std::string role;
  range calls, tokens;
  range cost_usd;
  range seconds; ///< total waiting time, if calls are sequential
};

/// `use` and `prices` are by role. Roles that use no model, or are never asked,
/// are omitted.
std::vector<role_estimate>
estimate_roles(const config& options, const job_counts& jobs,
               const std::map<std::string, role_use>& use,
               const std::map<std::string, token_price>& prices);

/// Assumed values if no run has been measured. The most that an agent and its
/// user can say in an attempt is what `agent.max_calls` allows.
std::map<std::string, role_use> assumed_use(const config& options);

/// Lowers what was measured to what the configuration allows.
void limit_use(const config& options, std::map<std::string, role_use>& use);

/// The number of jobs that the role works for.
range jobs_of(const std::string& role, const job_counts& jobs);

} // namespace brewery
