#pragma once
/// An actor that submits no-op jobs until all are answered: `window` at a time,
/// or at a fixed rate. It replaces a run. Answers take the same way as in a
/// run: through a ledger and a journal, or directly from the pool.

#include "actors/interfaces.hpp"

#include <functional>

namespace brewery::bench {

/// An embedding of no texts: a real job without work.
job noop_job(std::uint64_t number);
/// The number of a job that `noop_job` made.
std::uint64_t number_of(const job_id& id);

struct feed {
  run_id run;
  pool_actor pool;
  ledger_actor ledger;     ///< empty: uses the pool, stores nothing
  std::uint64_t first = 0; ///< number of the first job
  std::uint64_t jobs = 0;
  std::uint64_t window = 0;                  ///< jobs under way; 0: use `every`
  std::chrono::microseconds every{0};        ///< time between jobs
  std::function<void(std::uint64_t)> on_ask; ///< called with a job's number
  /// Called with the number of answers.
  std::function<void(std::uint64_t)> on_answer;
};

/// Blocks until all jobs are answered. Throws if one failed.
void run_feed(caf::actor_system& system, feed what);

} // namespace brewery::bench
