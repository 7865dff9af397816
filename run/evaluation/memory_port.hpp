#pragma once
/// A memory in a child process: it is told texts, and asked for each task what
/// it knows about it. One request and one reply are a line of JSON each, as
/// with an environment of one's own; docs/learners.md has the contract. The
/// child is started, asked and ended within one call. It is killed if it does
/// not answer in time, and whatever it did not say as the contract asks fails
/// the call.

#include "cluster/ledger/job_memo.hpp"
#include "learners/brew/concepts.hpp"
#include "learners/comparators/options.hpp"
#include "messages/memory/memory_msgs.hpp"
#include "process/error_lines.hpp"

#include <functional>
#include <map>
#include <optional>

namespace brewery {

/// What the child found for each task, best first.
using recalled_texts = std::map<task_id, std::vector<std::string>>;

/// Tells the child of `how` all `texts` and asks it about every task's
/// instruction. It is killed once `stopped` says so. Errors name the option or
/// the request: ec::invalid_config, if it is not the package that the option
/// says; ec::environment; ec::cancelled.
result<recalled_texts> recall(const memory_port_options& how,
                              const std::vector<std::string>& texts,
                              const std::vector<learner_task>& tasks,
                              const std::function<bool()>& stopped,
                              child::log_sink log);

/// Whether the program and the variables are there that the child needs.
result<void> can_recall(const memory_port_options& how);

/// Whether the child starts and is the package that the option says.
result<void> is_memory(const memory_port_options& how);

/// What was recalled is on record as one row, because a package need not say
/// the same again.
inline constexpr std::string_view recall_kind = "memory_recall";
std::string encoded(const recalled_texts& found);
/// Whether attempts are shown all of it. Those of releases before ranked it
/// again by words, and go on as they began.
bool is_shown_whole(const memo_content& known);
result<recalled_texts> decoded_recall(std::string_view payload);

/// Empty: nothing is on record, or a retry took it back with the notes that it
/// was found among.
result<std::optional<recalled_texts>> recalled_of(const memo_content& known);

} // namespace brewery
