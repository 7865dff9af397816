#pragma once
/// The actor around the job table: who does which job. Local and remote workers
/// are alike to it; it watches each, and one that ends gives back its leases.

#include "actors/interfaces.hpp"

#include <functional>
#include <map>
#include <set>

namespace brewery {

/// What a pool tells its metrics; members may be empty.
struct pool_observer {
  /// After changes, at most a few times a second.
  std::function<void(const table_counts& counts, double oldest_seconds)>
      on_load;
  std::function<void(double seconds)> on_start; ///< after waiting so long
  std::function<void(const quarantined_job&)> on_quarantine;
  /// Why jobs wait, one line each, when that changes.
  std::function<void(const std::vector<std::string>&)> on_waiting;
};

struct pool_inputs {
  cluster_options options;
  std::uint64_t epoch = 1;
  pool_observer observer;
  /// Time since some origin; empty: the steady clock.
  std::function<instant()> now;
};

struct pool_state {
  static inline const char* name = "pool";
  using job_key = std::pair<search_id, job_id>;
  struct asked_job {
    std::shared_ptr<const job> work;
    caf::typed_response_promise<job_result> promise;
  };
  struct open_search {
    search_opening about;
    std::map<job_id, asked_job> jobs; ///< submitted and not answered
    std::map<job_id, std::vector<std::pair<worker_id, lease_key>>> unsettled;
    bool stopped = false; ///< nothing of it is granted any more
  };
  pool_inputs in;
  std::unique_ptr<job_table> table;
  std::map<search_id, open_search> searches;
  std::map<worker_id, crew_member> members;
  std::set<search_id> stuck; ///< open searches whose log cannot be written
  watch_list watched;
  std::vector<std::string> waiting; ///< reasons last told, without numbers
};

pool_actor::behavior_type pool(pool_actor::stateful_pointer<pool_state> self,
                               std::shared_ptr<pool_inputs> inputs);

} // namespace brewery
