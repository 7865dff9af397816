#pragma once
/// The measurements of `cluster_bench`. Each prints its figures beside their
/// goals.

#include <cstddef>

namespace brewery::bench {

struct load {
  std::size_t workers = 64;
  std::size_t slots = 8;
  std::size_t jobs = 100'000;
  std::size_t rounds = 3;
  bool dask = true;
};

/// No-op jobs per second through real `brewery worker` processes, in memory and
/// durable, alternating with the raw echo and Dask. Median of the rounds.
void measure_throughput(const load& with);

struct dispatch_load {
  std::size_t workers = 1000;
  std::size_t jobs = 20'000;
  std::size_t busy = 0;  ///< processes beside it that compute all the time
  bool realtime = false; ///< as `brewery coordinator --realtime`
  bool realtime_workers = false;
};

/// The time from a job's submission until its lease is at a worker, with many
/// workers connected and one job per millisecond.
void measure_dispatch(const dispatch_load& with);

/// The cost of connected workers without jobs, and the time to connect.
void measure_idle(std::size_t workers, double seconds);

/// Memory of the coordinator while many jobs pass through it.
void measure_memory(const load& with);

} // namespace brewery::bench
