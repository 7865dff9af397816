#pragma once
/// What one barrier of a search cost, for people. PURE.

#include <algorithm>

namespace brewery {

/// One phase of jobs that ended at a barrier. With W = slots:
///   efficiency  = max(work / W, longest) / elapsed
///   utilisation = work / (W x elapsed)
/// Efficiency 1 means that no schedule is better; utilisation is what the user
/// pays for. Both are at most 1: with a quorum, the whole work of a late tree
/// counts in the phase in which it ends. Searches of a run fill each other's
/// waits: the work is that of the run, whichever search asked for it. Where
/// runs share the slots, both count all slots and the work of one run.
struct barrier_sample {
  double elapsed_seconds = 0; ///< from the first job offered to the last result
  double wait_seconds = 0; ///< from the first tree done to the last tree done
  double work_seconds = 0; ///< sum over all jobs
  double longest_seconds = 0; ///< of the longest job
  double slots = 0;           ///< in the mean of the phase
};

inline double efficiency(const barrier_sample& sample) {
  if (sample.elapsed_seconds <= 0 || sample.slots <= 0) return 0;
  const auto bound =
      std::max(sample.work_seconds / sample.slots, sample.longest_seconds);
  return std::min(1.0, bound / sample.elapsed_seconds);
}

inline double utilisation(const barrier_sample& sample) {
  if (sample.elapsed_seconds <= 0 || sample.slots <= 0) return 0;
  return std::min(1.0, sample.work_seconds
                           / (sample.slots * sample.elapsed_seconds));
}

} // namespace brewery
