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

#include "actors/crew_msgs.hpp"

namespace brewery {

/// Does one job at a time on a thread of its own.
using worker_actor = interface<caf::result<job_result>(atom::run, job)>;

/// Owns the job table: which job goes to which worker.
using pool_actor = interface<
    /// Done by some worker. The search must have been opened.
    caf::result<job_result>(atom::run, search_id, job),
    /// The journal has the job's result: the worker may forget it.
    caf::result<void>(atom::kept, search_id, job_id),
    /// Drops what is queued of a search (answered with ec::cancelled); running
    /// jobs end.
    caf::result<void>(atom::stop, search_id), caf::result<void>(search_opening),
    /// Nobody asks for its jobs any more: running ones are cancelled.
    caf::result<void>(atom::close, search_id),
    /// A worker joins; answered with what it may keep.
    caf::result<joined_worker>(joining_worker), caf::result<void>(from_worker),
    /// Whether the search's log cannot be written: nothing is granted while
    /// that is so of any open search, as they share their disk.
    caf::result<void>(atom::pause, search_id, bool),
    caf::result<pool_status_ptr>(atom::status),
    /// Workers of this name take no more jobs and leave; how many there are.
    caf::result<std::uint64_t>(atom::drain, std::string),
    /// INTERNAL: time passes.
    caf::result<void>(atom::tick),
    /// INTERNAL: something can be granted.
    caf::result<void>(atom::submit)>;

/// Appends events durably, many in one transaction. The only actor that touches
/// SQLite; on a thread of its own.
using journal_actor = interface<
    /// kind, key, payload (wire bytes). Answered when it is on disk, with the
    /// event's number; 0 from a journal that keeps nothing.
    caf::result<std::uint64_t>(atom::append, std::string, std::string,
                               std::string),
    /// The payload of an event, by its number.
    caf::result<std::string>(atom::recall, std::uint64_t),
    /// Waits for no disk any more: what cannot be written fails, from now on.
    caf::result<void>(atom::stop),
    /// INTERNAL: commit what has gathered.
    caf::result<void>(atom::flush)>;

/// Owns what is known about jobs. Results stay in the log until asked for.
using ledger_actor = interface<
    /// The job's result without its trajectory (that is in the log).
    caf::result<job_result>(atom::submit, job),
    /// A worker's result that nobody asked this process for yet: it was leased
    /// before a restart.
    caf::result<void>(atom::offer, job_result),
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
