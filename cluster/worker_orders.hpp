#pragma once
/// Messages between the pool and the proxies of workers, and the answers to
/// those who wait for a job. Only values: actors send them as messages, the
/// simulator passes the same values.

#include "base/result.hpp"
#include "cluster/packed_result.hpp"
#include "cluster/table/job_table.hpp"

#include <memory>
#include <variant>

namespace brewery {

// -- pool to worker ----------------------------------------------------------

struct lease_order {
  lease_key key;
  std::shared_ptr<const job> work;
  std::string setup; ///< hash of the run's set-up, which is a blob
};
/// The result is in the log, or never will be: the worker may forget it.
struct result_settled {
  lease_key key;
  result_verdict verdict = result_verdict::counted;
};
/// The lease is over: its result is not wanted any more.
struct lease_ended {
  lease_key key;
};
struct drain_worker {
  std::string reason;
};
using worker_order =
    std::variant<lease_order, result_settled, lease_ended, drain_worker>;

// -- worker to pool ----------------------------------------------------------

struct lease_result {
  lease_key key;
  std::shared_ptr<packed_result> result; ///< null if there is an error
  std::string error;
  bool is_final = false;  ///< no other try can do better
  microseconds played{0}; ///< its time on a slot; 0: not said
};
struct leases_returned {
  std::vector<lease_key> keys;
};
struct worker_drains {};
struct worker_leaves {
  job_table::departure how = job_table::departure::left;
};
using worker_report =
    std::variant<lease_result, leases_returned, worker_drains, worker_leaves>;

/// The answer to a worker that joins: its number and the leases that it may
/// keep.
struct joined_worker {
  worker_id worker;
  std::vector<job_table::adoption> adopted;
  std::optional<drain_worker> drains{}; ///< it was told so in a session before
};

// -- those who wait ----------------------------------------------------------

/// Identifies someone who waits for an answer. The owner chooses the number.
using asker_id = strong_id<struct asker_tag, std::uint64_t>;

struct answered_job {
  asker_id asker;
  result<job_result> answer;
};

} // namespace brewery
