#pragma once
/// Durations and limits of a cluster. Times are durations since an origin that
/// the caller chooses, and only grow (a steady clock). Times of different hosts
/// are never compared.

#include <chrono>
#include <cstdint>

namespace brewery {

using microseconds = std::chrono::microseconds;

struct cluster_options {
  /// A worker that is silent for this long loses its leases.
  std::chrono::milliseconds lease{10'000};
  /// A quarter of the lease time, so three heartbeats may be lost.
  std::chrono::milliseconds heartbeat{2'500};
  /// A worker whose connection broke has this time to come back.
  std::chrono::milliseconds suspicion{400};
  /// A worker repeats an unacknowledged result after this time, doubling up to
  /// 8 times the value, and a request for contents each time it is over. Leases
  /// are repeated after two heartbeats, questions after a lease time.
  std::chrono::milliseconds resend{1'000};
  /// A result that is unacknowledged for this long is written to the worker's
  /// spool.
  std::chrono::milliseconds spool_after{500};

  /// The number of failures on different workers after which a job is given up.
  /// Twice the number if there are fewer workers than that. The same worker
  /// tries again only after a pause.
  std::uint32_t max_failures = 3;
  std::chrono::milliseconds retry_pause{5'000};
  /// The number of workers that may die with a job in hand before the job is
  /// taken for the cause. Much higher than max_failures, because machines also
  /// die for other reasons.
  std::uint32_t max_crashes = 10;

  /// A job that runs longer has failed. This ends jobs with a hung environment.
  std::chrono::milliseconds job_limit{3'600'000};

  /// After this many jobs in a row have failed on a worker, it gets no jobs for
  /// `breaker_pause`, doubling up to 16 times.
  std::uint32_t breaker_failures = 5;
  std::chrono::milliseconds breaker_pause{15'000};

  /// Backup copies of jobs that look stuck (as in MapReduce and LATE).
  bool backups = true;
  double backup_factor = 2.0; ///< stuck beyond this multiple of the prediction
  std::chrono::milliseconds backup_min{1'000};
  double backup_share = 0.25;       ///< maximum of live copies per running job
  double backup_min_wins = 0.1;     ///< no more copies if fewer of them win
  std::uint32_t backup_trials = 20; ///< copies before this rate is considered
};

} // namespace brewery
