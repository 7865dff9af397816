#pragma once
/// What the pool and its workers tell each other inside a process. Not for the
/// wire: they carry handles and shared pointers.

#include "cluster/job_table.hpp"
#include "messages/caf/types.hpp"

#include <memory>
#include <variant>

namespace brewery {

// -- pool to worker ----------------------------------------------------------

struct lease_order {
  lease_key key;
  std::shared_ptr<const job> work;
  std::string setup; ///< hash of the search's set-up
};
/// The result is in the log, or will never be: forget it.
struct result_settled {
  lease_key key;
  result_verdict verdict = result_verdict::kept;
};
/// The lease is over: its result is not wanted any more.
struct lease_ended {
  lease_key key;
};
struct drain_worker {
  std::string reason;
};
struct to_worker {
  std::variant<lease_order, result_settled, lease_ended, drain_worker> what;
};

/// What the pool sees of a worker, local or remote.
using crew_member = interface<caf::result<void>(to_worker)>;
/// What the pool sees of a ledger: takes results nobody asked for yet.
using result_taker = interface<caf::result<void>(atom::offer, job_result)>;

// -- worker to pool ----------------------------------------------------------

struct lease_result {
  lease_key key;
  std::shared_ptr<job_result> result; ///< null with an error
  std::string error;
};
struct leases_returned {
  std::vector<lease_key> keys;
};
struct worker_drains {};
struct worker_leaves {
  job_table::departure how = job_table::departure::left;
};
struct from_worker {
  worker_id worker;
  std::variant<lease_result, leases_returned, worker_drains, worker_leaves>
      what;
};

struct joining_worker {
  worker_facts facts;
  std::vector<held_job> held;
  crew_member member; ///< watched by the pool
};
struct joined_worker {
  worker_id worker;
  std::vector<job_table::adoption> adopted;
};

// -- searches and views ------------------------------------------------------

struct search_opening {
  search_id search;
  search_share share;
  std::string benchmark; ///< fingerprint that its rollouts need
  std::string setup;     ///< hash of its set-up, a blob
  result_taker ledger;   ///< may be empty
};

struct pool_status {
  bool paused = false;
  table_counts counts;
  std::vector<worker_view> workers;
  std::vector<quarantined_job> quarantine;
  std::vector<std::string> waiting; ///< why
};
using pool_status_ptr = std::shared_ptr<const pool_status>;

} // namespace brewery

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::to_worker)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::from_worker)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::joining_worker)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::joined_worker)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::search_opening)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::pool_status_ptr)
