#pragma once
/// What a search will take, before it is run: how many jobs of which kind, and
/// from that calls, tokens, money and time. Ranges, because how many concepts
/// there will be is not known, nor how many tasks each touches. PURE.

#include "config/config.hpp"
#include "llm/price.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace brewery {

struct range {
  double low = 0, high = 0;
  range& operator+=(const range& other);
};
range operator*(const range& a, const range& b);

/// Tasks of the splits, as many as will be used.
struct task_counts {
  std::size_t train = 0, eval = 0, test = 0;
};

/// Jobs of a whole run, all strategies together.
struct job_counts {
  range learning;     ///< rollouts that are rated and reflected on
  range scoring;      ///< rollouts that score candidates
  range testing;      ///< rollouts of the final evaluation
  range integrations; ///< documents written

  [[nodiscard]] range rollouts() const;
};

/// `concepts`: how many there may be. Scored rollouts that an earlier one
/// answers (same task, same documents shown) are at the low end.
job_counts count_jobs(const config& options, const task_counts& tasks,
                      const range& concepts);

/// Of one role, for one job of its kind.
struct role_use {
  range calls;              ///< for a job
  double prompt_tokens = 0; ///< of a call
  double cached_tokens = 0; ///< of these, from the server's cache
  double reply_tokens = 0;  ///< of a call
  double seconds = 0;       ///< of a call
};

struct role_estimate {
  std::string role;
  range calls, tokens;
  range cost_usd;
  range seconds; ///< of waiting, one after the other
};

/// `use` by role; roles of the configuration that use no model are left out.
/// `prices` by role.
std::vector<role_estimate>
estimate_roles(const config& options, const job_counts& jobs,
               const std::map<std::string, role_use>& use,
               const std::map<std::string, token_price>& prices);

/// What is taken for granted where no run has been measured.
const std::map<std::string, role_use>& assumed_use();

/// How many jobs each role works for.
range jobs_of(const std::string& role, const job_counts& jobs);

} // namespace brewery
