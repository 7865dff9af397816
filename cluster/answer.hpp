#pragma once
/// Whether a worker's answer is one to the job it was given. Searches rely on
/// it: what passes is journalled and can never be taken back. PURE.

#include "messages/job_msgs.hpp"

namespace brewery {

/// What is wrong with it, one line; empty when nothing is. `asked` may be null
/// (the job was leased before a restart and nobody has asked for it yet): then
/// it is held against itself only.
std::string complaint_about(const job_result& answer, const job* asked);

/// Whether an answer from the log, maybe a verdict of quarantine, can be handed
/// to whoever asks for this job.
bool answers(const job_result& answer, const job& asked);

} // namespace brewery
