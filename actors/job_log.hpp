#pragma once
/// Reads from a run's log what is known about its jobs.

#include "cluster/ledger/memo_loader.hpp"
#include "store/event_log.hpp"

namespace brewery {

/// Reads a log to its end. The loader also knows when things were decided.
result<memo_loader> read_memo(const event_log& log);

/// Rebuilds the memo from a log (cluster/ledger/memo_loader.hpp).
result<memo_content> load_memo(const event_log& log);

/// The jobs that were given up, each with the reason.
std::map<job_id, std::string> quarantined_in(const memo_content& known);

} // namespace brewery
