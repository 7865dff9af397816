#pragma once
/// The actor around the pool's core (cluster/pool_core.hpp), which decides
/// which worker gets which job. It treats local and remote workers alike. It
/// monitors each worker; the leases of one that ends are given back.

#include "actors/interfaces.hpp"
#include "workers/order_batches.hpp"

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

namespace brewery {

/// Callbacks, most of them for the pool's metrics; members may be empty.
struct pool_observer {
  /// Called after changes, at most a few times per second.
  std::function<void(const table_counts& counts,
                     const std::vector<run_load>& loads, double oldest_seconds)>
      on_load;
  /// Called at once when workers came or went.
  std::function<void(std::size_t slots)> on_slots;
  std::function<void(double seconds)> on_start; ///< the time in the queue
  std::function<void(const quarantined_job&)> on_quarantine;
  /// Called before anybody gets a job again that failed.
  std::function<void(const run_id&, const job_id&)> on_retry;
  /// Called with the reasons why jobs wait, one line each, when they change.
  std::function<void(const std::vector<std::string>&)> on_waiting;
};

struct pool_inputs {
  cluster_options options;
  std::uint64_t epoch = 1;
  pool_observer observer;
  /// Time since some origin. If empty, the steady clock is used.
  std::function<microseconds()> now;
};

struct pool_state {
  static inline const char* name = "pool";
  pool_inputs in;
  std::unique_ptr<pool_core> core;
  std::uint64_t next_asker = 0;
  std::unordered_map<asker_id, caf::typed_response_promise<packed_result>>
      askers;
  std::map<run_id, result_taker> ledgers; ///< of open runs
  std::unordered_map<worker_id, worker_handle> members;
  order_batches orders;
  bool sends_soon = false; ///< a message to send what is due is on its way
  std::optional<microseconds> all_at; ///< when one to send all orders comes
  watch_list watched;
};

pool_actor::behavior_type pool(pool_actor::stateful_pointer<pool_state> self,
                               std::shared_ptr<pool_inputs> inputs);

} // namespace brewery
