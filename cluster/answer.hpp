#pragma once
/// Checks whether a worker's answer fits the job that it was given. Searches
/// rely on this: an answer that passes is journalled and cannot be revoked.
/// PURE.

#include "messages/job_msgs.hpp"
#include "messages/reusable.hpp"

namespace brewery {

/// Returns what is wrong with the answer, in one line; empty if it is valid.
/// `asked` may be null (the job was leased before a restart and nobody has
/// requested it yet). Then only the answer's own consistency is checked.
std::string validate_result(const job_result& answer, const job* asked);

/// Why an answer from the log, possibly a verdict, may not be given to those
/// who request this job; empty: it may. Nobody had asked for the job when a
/// worker delivered what it held since before a restart.
std::string why_no_answer(const job_result& answer, const job& asked);

} // namespace brewery
