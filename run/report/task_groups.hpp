#pragma once
/// Tasks by group and by part, as their ids tell them. Benchmarks that compose
/// tasks name the parts in the id, e.g. the faults behind a complaint:
///
///   no_service/L2006/overdue_bill+airplane_mode    group no_service, 2 parts
///   [mms_issue]bad_vpn|data_off[PERSONA:None]      group mms_issue, 2 parts
///   blanks-fill-down                               group blanks, no parts
///
/// Numbers alone (12, 13-1, the 7 of easy/7) say nothing: they are no group and
/// no part. PURE.

#include "run/arms.hpp"

#include <optional>
#include <string>
#include <vector>

namespace brewery {

struct task_parts {
  std::string group;
  std::vector<std::string> parts;
};

task_parts parts_of_task(const task_id& task);

/// The tasks that share a word of their ids, and the success of each arm on
/// them.
struct group_success {
  std::string name;
  std::size_t tasks = 0;
  /// Of each arm; empty where no attempt was graded.
  std::vector<std::optional<double>> success;
  std::vector<unscored_attempts> unscored; ///< likewise
};

/// In order of name. Empty if the ids tell fewer than two groups, or no group
/// has two tasks.
std::vector<group_success>
success_by_group(const std::vector<arm_result>& arms);

/// The same by part: a task counts for each of its parts.
std::vector<group_success> success_by_part(const std::vector<arm_result>& arms);

/// A section with a table of them, of `what` ("task group"). A success that
/// leaves attempts out says which share. The largest groups come in, and a line
/// counts the others. Empty without groups.
std::string groups_text(const std::vector<arm_result>& arms,
                        const std::string& what,
                        const std::vector<group_success>& groups);

} // namespace brewery
