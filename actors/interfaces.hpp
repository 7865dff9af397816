#pragma once
/// The typed interfaces of all actors of a process. Arrows are requests. Each
/// request gets exactly one answer: a value or a brewery error. An
/// acknowledgement without content that comes later is `true`, because CAF 0.17
/// cannot deliver an empty answer through a promise.
///
///   coordinator --expand--> tree (one per concept)
///        |                    |
///        +------submit-------+--> ledger --run--> pool --run--> worker
///                                   |
///                                   +--append/record--> journal (SQLite)
///
/// The ledger answers a job from the log if the log has its result. Otherwise
/// it has the job run once, journals the result, and only then answers.

#include "actors/pool_msgs.hpp"
#include "store/event_log.hpp"

namespace brewery {

/// Runs one job of a run at a time on its own thread.
using worker_actor =
    interface<caf::result<packed_result>(atom::run, run_id, job)>;

/// Owns the job table: decides which worker gets which job.
using pool_actor = interface<
    /// Runs the job on some worker. The search must be open.
    caf::result<packed_result>(atom::run, run_id, job),
    /// The journal has the job's result, so the worker may forget it.
    caf::result<void>(atom::journalled, run_id, job_id),
    /// Drops the queued jobs of a search (their answer is ec::cancelled).
    /// Running jobs continue to their end.
    caf::result<void>(atom::stop, run_id), caf::result<void>(run_opening),
    /// Nobody waits for the search's jobs any more: cancels running ones.
    /// True: nothing more of it will be journalled either.
    caf::result<void>(atom::close, run_id, bool),
    /// An open run's weight and priority, from now on.
    caf::result<void>(share_change),
    /// A worker joins. The answer lists the leases that it may keep.
    caf::result<joined_worker>(joining_worker), caf::result<void>(from_worker),
    /// While a run's log cannot be written, none of its jobs is granted; none
    /// of any run, if the disk is full, which all runs share.
    caf::result<void>(log_change), caf::result<pool_status_ptr>(atom::status),
    /// Drains all workers of this name. The answer is their number.
    caf::result<std::uint64_t>(atom::drain, std::string),
    /// INTERNAL: time has passed.
    caf::result<void>(atom::tick),
    /// INTERNAL: something can be granted.
    caf::result<void>(atom::grant)>;

/// Events that are written in one transaction or not at all, in this order.
struct journal_batch {
  std::vector<event_row> events;
};

/// Appends events durably, many in one transaction. The only actor that uses
/// SQLite. It has its own thread.
using journal_actor = interface<
    /// Answered when all events are on disk, with the number of the first,
    /// which the others follow; 0 from a journal that stores nothing.
    caf::result<std::uint64_t>(atom::append, journal_batch),
    /// Returns the payload of an event, given its number.
    caf::result<std::string>(atom::recall, std::uint64_t),
    /// From now on, appends that cannot be written fail at once instead of
    /// waiting for the disk.
    caf::result<void>(atom::stop),
    /// INTERNAL: commit the collected appends.
    caf::result<void>(atom::flush)>;

/// Owns what is known about jobs. Results stay in the log until requested.
using ledger_actor = interface<
    /// Answers with the job's result without its trajectory (which is in the
    /// log).
    caf::result<job_result>(atom::submit, job),
    /// Takes a worker's result that nobody in this process has requested yet:
    /// it was leased before a restart.
    caf::result<void>(atom::offer, packed_result),
    /// A job's result with its trajectory, read from the log. Error
    /// ec::not_found: the log does not have it.
    caf::result<job_result>(atom::recall, job_id),
    /// Journals a decision under a key. Recording an equal decision again has
    /// no effect. A decision that differs from the log is ec::corrupt.
    caf::result<bool>(atom::record, std::string, std::string, std::string),
    /// Accepts no new jobs from now on: their answer is ec::cancelled.
    caf::result<void>(atom::stop),
    /// Answered when all results under way are journalled.
    caf::result<bool>(atom::drain),
    /// INTERNAL: write what was held back.
    caf::result<void>(atom::flush)>;

/// Runs the search of one concept.
using tree_actor = interface<
    /// Runs one iteration. Answered with the report at its end.
    caf::result<expand_report>(atom::expand, start_expand),
    /// Saves the search as it stands between iterations.
    caf::result<bool>(atom::flush),
    caf::result<document_outcome>(atom::outcome)>;

/// Runs one search from the initial rollouts to the last gather.
using coordinator_actor = interface<caf::result<search_outcome>(atom::run)>;

} // namespace brewery

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::journal_batch)
