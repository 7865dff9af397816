#pragma once
/// How far one coordinator reaches: its real cores (pool, ledger, a proxy for
/// each worker) and the workers' real sessions on a simulated clock and
/// network, with jobs that only take time. No faults: `cluster_sim` has those.
/// What happens is determined by the seed; what it costs is measured with the
/// CPU clock around each call of a core. What no core does (sockets,
/// encryption, messages between actors, SQLite, the search) has prices that the
/// caller gives.

#include "cluster/options.hpp"
#include "sim/scale/cost_meter.hpp"

#include <functional>
#include <string>
#include <vector>

namespace brewery::simulated {

/// CPU of what is not simulated, of a real coordinator. Where the
/// defaults are from: docs/scale.md.
struct scale_prices {
  double frame_us = 6;    ///< a frame through ZeroMQ and the gateway
  double curve_us = 0;    ///< a frame's encryption; 0: plaintext
  double curve_kb_us = 0; ///< and that of each kB
  double hop_us = 1;      ///< a message from one actor to another
  double row_us = 10;     ///< a row of the log in SQLite, compression aside
  double search_us = 300; ///< what phases and trees do with a result
};

struct scale_options {
  std::size_t workers = 1'000;
  std::uint32_t slots = 10;
  double mean_s = 10;            ///< of a job; lognormal
  double sigma = 1;              ///< of its logarithm
  double seconds = 30;           ///< of full load that are measured
  std::size_t jobs_per_slot = 4; ///< before the barrier
  std::size_t tasks = 500;       ///< jobs of a task take about as long
  std::size_t result_kb = 68;
  double latency_ms = 0.5, jitter_ms = 0.5; ///< jitter: exponential, its mean
  double commit_ms = 2; ///< of the log; the next batch gathers meanwhile
  double memory_gb = 4; ///< what the coordinator may use
  std::uint64_t seed = 1;
  scale_prices prices;
};

/// One of the things that may bend first.
struct scale_load {
  std::string what;
  double share = 0; ///< 1: it is used up
  std::string of;   ///< what can be used up
};

/// What happened while every slot had a job.
struct scale_traffic {
  double seconds = 0; ///< simulated
  std::uint64_t jobs = 0;
  std::uint64_t frames_in = 0, frames_out = 0, hops = 0, rows = 0;
  std::uint64_t bytes_in = 0, bytes_out = 0, log_bytes = 0;
  cost_meter costs;
  [[nodiscard]] double per_second(std::uint64_t count) const {
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
  }
};

struct scale_report {
  std::size_t slots = 0;
  scale_traffic full; ///< at full load
  /// Of one round with a barrier: the time that its jobs need at least, by
  /// their sum and by the longest, and the CPU to hand out the first of them.
  double round_s = 0, round_bound_s = 0, round_start_s = 0;
  std::uint64_t copies = 0;
  /// Freed with the coordinator at full load; 0: not measured.
  double memory_bytes = 0, bytes_per_worker = 0, bytes_per_job = 0;
  std::vector<scale_load> loads; ///< greatest share first
  /// The slots with which a core, or the memory, is used up.
  double slots_carried = 0;
  bool stopped = false;

  /// What no order of jobs can beat is 1. Handing out counts as waiting.
  [[nodiscard]] double barrier_efficiency() const {
    return round_bound_s / (round_s + round_start_s);
  }
};

/// `stop` is asked from time to time; may be empty.
scale_report simulate_scale(const scale_options& options,
                            const std::function<bool()>& stop = {});

} // namespace brewery::simulated
