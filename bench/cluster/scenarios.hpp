#pragma once
/// What `cluster_bench` measures; each prints its figures beside their goals.

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
/// durable, with the raw echo and Dask in turn. Median of the rounds.
void measure_throughput(const load& with);

/// From the moment a job is asked for until its lease is at a worker, with many
/// workers connected and a job each millisecond.
void measure_dispatch(std::size_t workers, std::size_t jobs);

/// What connected workers without work cost, and how long connecting takes.
void measure_idle(std::size_t workers, double seconds);

/// Memory of the coordinator while many jobs pass through it.
void measure_memory(const load& with);

} // namespace brewery::bench
