#pragma once
/// An actor that asks for no-op jobs: `window` of them at a time, or so many a
/// second, until all are answered. In place of a search; answers go the way
/// they go in a run: through a ledger and a journal, or straight from the pool.

#include "actors/interfaces.hpp"

#include <functional>

namespace brewery::bench {

/// An embedding of no text: a real job with nothing to do.
job noop_job(std::uint64_t number);
/// Of a job that `noop_job` made.
std::uint64_t number_of(const job_id& id);

struct feed {
  search_id search;
  pool_actor pool;
  ledger_actor ledger;     ///< empty: straight to the pool, nothing is kept
  std::uint64_t first = 0; ///< number of the first job
  std::uint64_t jobs = 0;
  std::uint64_t window = 0;                     ///< jobs under way; or 0 and
  std::chrono::microseconds every{0};           ///< a job each so long
  std::function<void(std::uint64_t)> on_ask;    ///< a job's number
  std::function<void(std::uint64_t)> on_answer; ///< how many there are
};

/// Blocks until all are answered; throws where a job failed.
void run_feed(caf::actor_system& system, feed what);

} // namespace brewery::bench
