#pragma once
/// Messages between the pool and its workers inside a process
/// (cluster/worker_orders.hpp). Not for the wire: they contain handles and
/// shared pointers.

#include "cluster/pool_core.hpp"
#include "messages/caf/types.hpp"

#include <memory>
#include <vector>

namespace brewery {

/// In order; together, so that a worker is woken once for several.
struct to_worker {
  std::vector<worker_order> orders;
};
struct from_worker {
  worker_id worker;
  std::vector<worker_report> reports;
};

/// The pool's interface to a worker, local or remote.
using worker_handle = interface<caf::result<void>(to_worker)>;
/// The pool's interface to a ledger: takes results that nobody has requested
/// yet.
using result_taker = interface<caf::result<void>(atom::offer, packed_result)>;

struct joining_worker {
  worker_spec spec;
  std::vector<worker_job> jobs;
  worker_handle member; ///< monitored by the pool
  /// Later sessions of one process have larger numbers.
  std::uint64_t session = 0;
};

struct run_opening {
  run_id run;
  run_share share;
  std::string benchmark;        ///< fingerprint that its rollouts require
  std::string setup;            ///< hash of its set-up, which is a blob
  result_taker ledger;          ///< may be empty
  std::set<std::string> tags{}; ///< that workers of its rollouts must have
  std::string benchmark_name{};
  std::size_t given_up = 0; ///< jobs, before it was opened
};

struct share_change {
  run_id run;
  run_share share;
};

/// Whether a run's log can be written.
struct log_change {
  run_id run;
  log_state log = log_state::writable;
};

using pool_status_ptr = std::shared_ptr<const pool_status>;

} // namespace brewery

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::packed_result)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::to_worker)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::from_worker)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::joining_worker)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::joined_worker)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::run_opening)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::share_change)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::log_change)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::pool_status_ptr)
