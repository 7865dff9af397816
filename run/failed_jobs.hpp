#pragma once
/// The jobs of a run that have no result because something around them failed,
/// and the order to try them again.

#include "messages/job_msgs.hpp"
#include "store/event_log.hpp"
#include "store/run_directory.hpp"

#include <map>
#include <string>

namespace brewery {

/// By job, the reason.
using failed_jobs = std::map<job_id, std::string>;

/// The jobs that were given up.
result<failed_jobs> read_quarantined(const run_directory& run);

/// These, and rollouts whose environment broke.
result<failed_jobs> read_failed(const run_directory& run);

/// Lets failed jobs be tried again: all, or the one with this id. Appends to
/// the log of a run that nobody executes, and returns the number of jobs. What
/// was decided after them is decided again when the run resumes. Error
/// ec::not_found: there is no such job.
result<std::size_t> retry_failed(const run_directory& run,
                                 const std::string& job = {});

} // namespace brewery
