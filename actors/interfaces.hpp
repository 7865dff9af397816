#pragma once
/// Every actor of a process, by what it can be asked. Arrows are requests; each
/// is answered exactly once, with a value or a brewery error. A bare
/// acknowledgement that comes later is `true`: CAF 0.17 cannot deliver nothing
/// through a promise.
///
///   coordinator --expand--> tree (one per concept)
///        |                    |
///        +------submit-------+--> ledger --run--> pool --run--> worker
///                                   |
///                                   +--append/record--> journal (SQLite)
///
/// The ledger answers a job from the log if it is there, else has it done once,
/// journals the result, and only then hands it out.

#include "messages/caf/types.hpp"

namespace brewery {

/// Does one job at a time on a thread of its own.
using worker_actor = interface<caf::result<job_result>(atom::run, job)>;

/// Owns the queue of jobs and the workers; hands a job to the next idle one.
using pool_actor = interface<
    /// Done by some worker.
    caf::result<job_result>(atom::run, job),
    /// Drops what is queued (answered with ec::cancelled); running jobs end.
    caf::result<void>(atom::stop)>;

/// Appends events durably, many in one transaction. The only actor that touches
/// SQLite; on a thread of its own.
using journal_actor = interface<
    /// kind, key, payload (wire bytes). Answered when it is on disk.
    caf::result<bool>(atom::append, std::string, std::string, std::string),
    /// INTERNAL: commit what has gathered.
    caf::result<void>(atom::flush)>;

/// Owns what is known about jobs: results of this process and of the log.
using ledger_actor = interface<
    /// The job's result without its trajectory (that is in the log).
    caf::result<job_result>(atom::submit, job),
    /// Journals a decision under a key. Deciding the same again is nothing; a
    /// different decision than the log has is ec::corrupt.
    caf::result<bool>(atom::record, std::string, std::string, std::string),
    /// No new jobs from now on: they are answered with ec::cancelled.
    caf::result<void>(atom::stop),
    /// Answered when every result that was under way is journalled.
    caf::result<bool>(atom::drain)>;

/// Searches one concept.
using tree_actor = interface<
    /// One iteration; answered with the report when it is done.
    caf::result<expand_report>(atom::expand, start_expand),
    caf::result<document_outcome>(atom::outcome)>;

/// Runs one search from the initial rollouts to the last gather.
using coordinator_actor = interface<caf::result<search_outcome>(atom::run)>;

} // namespace brewery
