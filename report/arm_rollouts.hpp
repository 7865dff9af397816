#pragma once
/// Reads a finished run from its log: the arms of its final evaluation and the
/// rollouts of each arm.

#include "messages/search_msgs.hpp"
#include "run/evaluation/memory_port.hpp"
#include "run/setup/problem.hpp"
#include "store/event_log.hpp"
#include "store/run_directory.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

/// The content of a run's log, without its rollouts.
struct evaluated_run {
  run_directory where;
  config options; ///< as stored by the run
  std::unique_ptr<event_log> log;
  run_record started;
  std::vector<evaluation_record> arms;
  std::map<job_id, std::uint64_t> results; ///< job -> event
  /// By learner or comparator: its entries, as they were last.
  std::map<std::string, std::vector<std::string>> memories;
  recalled_texts recalled; ///< by the memory port
  /// By arm: the trials of a task one after the other, an empty id where there
  /// is none. Older releases noted none, or only those of an arm that the
  /// learner served itself.
  std::map<std::string, std::vector<job_id>> attempts{};
};

/// The options of a run, changed by `overrides` (the syntax of --set). Fills
/// `hints` about the overrides.
result<config> options_of(const run_directory& run,
                          const std::vector<std::string>& overrides = {},
                          std::vector<std::string>* hints = nullptr);

/// Opens a run directory, even while it is in use.
result<evaluated_run> open_evaluated(const std::filesystem::path& run);

/// Finds an arm by its name in the report; empty: the run's `scored_arm`. Error
/// ec::not_found if there is no evaluation yet or no such arm; the message then
/// lists the arms.
result<const evaluation_record*> find_arm(const evaluated_run& run,
                                          const std::string& asked);

/// What the two functions below need of the run's problem. It is loaded only
/// for the baseline whose examples depend on the run's tasks, of a log that
/// does not say which its attempts are. Error ec::not_found: that would start a
/// program.
result<problem> problem_for(const evaluated_run& run,
                            const evaluation_record& arm);

struct arm_rollouts {
  std::vector<job_id> logged; ///< in order of trial, then task
  /// Of each of them. Jobs of a learner that serves its own attempts have
  /// trials of their own, which nobody asks by.
  std::vector<std::uint32_t> trials;
  std::size_t missing = 0; ///< planned, but not in the log
};

result<arm_rollouts> rollouts_of(const evaluated_run& run, const problem& what,
                                 const evaluation_record& arm);

/// The job of one attempt of an arm, whether it is in the log or not.
result<job_id> rollout_job_of(const evaluated_run& run, const problem& what,
                              const evaluation_record& arm, const task_id& task,
                              std::uint32_t trial);

/// Reads the rollout of a job in the log. Empty if the job is of another kind.
/// One that was not played is the one that stands for it, under its own id.
result<std::optional<rollout_result>> read_rollout(const evaluated_run& run,
                                                   const job_id& id);

} // namespace brewery
