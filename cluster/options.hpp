#pragma once
/// Durations and limits of a cluster. Times are durations since an origin of
/// the caller's choosing that only grows (a steady clock); they are never
/// compared between hosts.

#include <chrono>
#include <cstdint>

namespace brewery {

using instant = std::chrono::microseconds;

struct cluster_options {
  /// A worker that has not been heard of for so long has lost its leases.
  std::chrono::milliseconds lease{10'000};
  /// A quarter of the lease: three may be lost.
  std::chrono::milliseconds heartbeat{2'500};
  /// After its connection broke, a worker has this long to come back.
  std::chrono::milliseconds suspicion{400};
  /// Until what was not confirmed is sent again; doubles up to 8 times this.
  std::chrono::milliseconds resend{1'000};
  /// A result not acknowledged for so long is written to the worker's spool.
  std::chrono::milliseconds spool_after{500};

  /// Failures of a job on different workers until it is given up; twice as
  /// many where there are not so many workers. One worker tries again only
  /// after a pause.
  std::uint32_t max_failures = 3;
  std::chrono::milliseconds retry_pause{5'000};
  /// Workers that may die with a job in hand until it is taken for the cause.
  /// Much higher than max_failures: machines also die of other things.
  std::uint32_t max_crashes = 10;

  /// A job that runs longer has failed: a hung environment ends here.
  std::chrono::milliseconds job_limit{3'600'000};

  /// Jobs that fail in a row on a worker until it gets none for
  /// `breaker_pause`, doubling up to 16 times.
  std::uint32_t breaker_failures = 5;
  std::chrono::milliseconds breaker_pause{15'000};

  /// Backup copies of jobs that look stuck (papers on MapReduce and LATE).
  bool backups = true;
  double backup_factor = 2.0; ///< times the predicted duration
  std::chrono::milliseconds backup_min{1'000};
  double backup_share = 0.25;       ///< live copies per running job, at most
  double backup_min_wins = 0.1;     ///< below this rate they stop
  std::uint32_t backup_trials = 20; ///< copies before the rate counts
};

} // namespace brewery
