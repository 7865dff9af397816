#pragma once
/// What a run must be resumed with: the first event of its log.

#include "actors/job_memo.hpp"
#include "config/config.hpp"
#include "messages/search_msgs.hpp"

namespace brewery {

/// The record to write or confirm: the one the log has if it says the same in
/// all that results depend on, so that limits, threads, addresses and options
/// that did not exist then may differ; else a new one, which a log with another
/// refuses.
run_record started_with(const memo_content& known,
                        const std::string& fingerprint, const config& options);

/// The part of a configuration that results depend on.
config what_decides(config options);

} // namespace brewery
