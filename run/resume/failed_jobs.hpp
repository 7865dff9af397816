#pragma once
/// The jobs of a run that have no result because something around them failed,
/// and the order to try them again.

#include "messages/job_msgs.hpp"
#include "store/event_log.hpp"
#include "store/run_directory.hpp"

#include <map>
#include <optional>
#include <string>

namespace brewery {

/// By job, the reason.
using failed_jobs = std::map<job_id, std::string>;

/// The reason if this is a rollout whose environment broke; never an empty
/// text.
std::optional<std::string> why_broken(const job_result& answer);

/// The reason if this is a rollout whose judge or reflector had no usable
/// reply, or whose agent had none from its first turn on. It keeps its grade,
/// so it has not failed.
std::optional<std::string> why_unstudied(const job_result& answer);

/// Of rollouts that nobody learned anything from: those whose reflector, or
/// whose agent from its first turn on, had no usable reply. A search that found
/// no concept for that reason failed with them.
class untaught_rollouts {
public:
  void note(const job_result& answer);
  /// Empty once there is an insight.
  [[nodiscard]] const failed_jobs& all() const;

private:
  failed_jobs without_;
  bool taught_ = false;
};

/// Which failed jobs are meant.
enum class failed_scope : std::uint8_t {
  all,
  /// Those after which no search decided anything: of the final evaluation, and
  /// of the step that a search is at. To try them again changes no decision
  /// but what the evaluation came to. With searches side by side, a decision of
  /// any of them counts, because the log does not say who used a job. Documents
  /// that could not be written and texts without vectors are among them only if
  /// the run failed: another run goes on without them, however it was stopped.
  undecided,
};

/// The jobs that were given up, rollouts whose environment broke, and if the
/// run failed without any insight, the untaught ones.
/// Decodes every result in the scope.
result<failed_jobs> read_failed(const run_directory& run,
                                failed_scope scope = failed_scope::all);

/// Why the first of them failed, as one line of a bounded length; empty if
/// there are none.
std::string first_reason(const failed_jobs& failed);

/// To follow the error that ended a run: "; mend that, then try its 2 failed
/// jobs again with `COMMAND`". Empty if a retry mends nothing.
std::string retry_advice(const error& why, std::size_t failed,
                         const std::string& command);

/// The answer to who wants to retry what has not failed. An empty `job` stands
/// for all.
error nothing_to_retry(const run_directory& run, const std::string& job);

/// True if `retry_failed` would take this job.
result<bool> can_retry(const run_directory& run, const std::string& job);

/// Lets failed jobs be tried again: those in the scope, or the one of them with
/// this id, which may also be an unstudied rollout. Appends to the log of a run
/// that nobody executes, and returns the number of jobs. What was decided after
/// them is decided again when the run resumes. Replies of models that these
/// jobs could not use are asked for anew. Error ec::not_found: there is no such
/// job.
result<std::size_t> retry_failed(const run_directory& run,
                                 const std::string& job = {},
                                 failed_scope scope = failed_scope::all);

} // namespace brewery
