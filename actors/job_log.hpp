#pragma once
/// What a run's log says about its jobs.

#include "actors/job_memo.hpp"
#include "store/event_log.hpp"

namespace brewery {

/// An event of this kind, with a job's id for key, is an order to try the job
/// again that was given up.
inline constexpr std::string_view retry_event = "retry";

/// Kind of the event that has the verdict on a job that was given up, in place
/// of its result: found without unpacking the results.
inline constexpr std::string_view verdict_event = "verdict";

/// Reads the memo back from a log. After an event of kind `retry_event`, its
/// job counts as not done, and what was decided since it was given up as not
/// decided.
result<memo_content> load_memo(const event_log& log);

/// The jobs that were given up, with the reason.
std::map<job_id, std::string> quarantined_in(const memo_content& known);

} // namespace brewery
