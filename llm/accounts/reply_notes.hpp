#pragma once
/// What was wrong with replies of language models in jobs that have a result,
/// for people and other tools (messages/rollout_msgs.hpp, `reply_note`). PURE.

#include "messages/job_msgs.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace brewery {

/// The notes of jobs, by job; jobs without any are left out.
using job_notes = std::map<job_id, std::vector<reply_note>>;

/// The notes of a result; empty if it has none.
std::vector<reply_note> notes_of(const job_result& answer);

/// Notes of one role and kind, over all jobs.
struct note_total {
  reply_note sum; ///< with the reason of the first job, in the order of ids
  std::uint64_t jobs = 0;
};

/// By role, then kind.
std::vector<note_total> total_of(const job_notes& notes);

/// "judge: 3 replies cut off; the first: ...". One line.
std::string note_text(const reply_note& note);

/// The same for a total, with the number of jobs and what was asked: `asked`
/// is by role, "model 'large' at server 'here'".
std::string note_text(const note_total& total,
                      const std::map<std::string, std::string>& asked);

nlohmann::ordered_json notes_json(const std::vector<note_total>& totals);

} // namespace brewery
