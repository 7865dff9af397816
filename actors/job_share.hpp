#pragma once
/// The actor around a job share's core (cluster/sharing/share_core.hpp). The
/// ledgers of a sweep's runs ask it instead of the pool; it asks the pool for
/// the run that does the job. It has its own thread, on which it reads logs.

#include "actors/interfaces.hpp"
#include "cluster/sharing/share_core.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <unordered_map>

namespace brewery {

using job_share_actor = interface<
    /// For a ledger: as if it had asked the pool.
    caf::result<packed_result>(atom::run, run_id, job),
    /// The run waits for no other's work from now on.
    caf::result<void>(atom::stop, run_id),
    /// The run's log has the job's result as this event.
    caf::result<void>(atom::journalled, run_id, job_id, std::uint64_t)>;

struct job_share_inputs {
  pool_actor pool;
  /// The whole result from a run's log. Called on the share's thread.
  std::function<result<packed_result>(const shared_place& place)> read;
  std::map<job_id, shared_place> known{}; ///< from before
  /// Called for each job that a run did not do itself; may be empty.
  std::function<void(const job_result&)> on_shared{};
};

struct job_share_state {
  static inline const char* name = "job_share";
  share_core core;
  pool_actor pool;
  std::function<result<packed_result>(const shared_place&)> read;
  std::function<void(const job_result&)> on_shared;
  std::uint64_t next_asker = 0;
  std::unordered_map<asker_id, caf::typed_response_promise<packed_result>>
      askers;
};

job_share_actor::behavior_type
job_share(job_share_actor::stateful_pointer<job_share_state> self,
          std::shared_ptr<job_share_inputs> inputs);

} // namespace brewery
