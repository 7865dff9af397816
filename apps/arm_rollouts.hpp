#pragma once
/// A finished run read from its log: the arms of its final evaluation and the
/// rollouts of each.

#include "apps/problem.hpp"
#include "messages/search_msgs.hpp"
#include "store/event_log.hpp"
#include "store/run_directory.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

/// What the log of a run says without its rollouts.
struct evaluated_run {
  run_directory where;
  config options; ///< as the run keeps them
  std::unique_ptr<event_log> log;
  run_record started;
  std::vector<evaluation_record> arms;
  std::map<job_id, std::uint64_t> results; ///< events, by job
};

/// What a run was made with, and with `overrides` as of --set.
result<config> options_of(const run_directory& run,
                          const std::vector<std::string>& overrides = {});

/// A run directory; it may be in use.
result<evaluated_run> open_evaluated(const std::filesystem::path& run);

/// By the name of the report; empty: the last. ec::not_found when there is no
/// evaluation yet or no such arm (with those there are).
result<const evaluation_record*> find_arm(const evaluated_run& run,
                                          const std::string& name);

struct arm_rollouts {
  std::vector<job_id> logged; ///< in order of trial, then task
  std::size_t missing = 0;    ///< planned, but not in the log
};

result<arm_rollouts> rollouts_of(const evaluated_run& run, const problem& what,
                                 const evaluation_record& arm);

/// Of a job that is in the log; empty: another kind of job, or given up.
result<std::vector<rollout_result>> read_rollout(const evaluated_run& run,
                                                 const job_id& id);

} // namespace brewery
