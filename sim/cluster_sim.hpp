#pragma once
/// One simulated run of a search on a cluster in which everything fails, and
/// what must hold: no result lost or counted twice, nothing handed out or
/// acknowledged that is not in the log, no lease granted twice, no question of
/// a job passed on twice, told another's answer or, once the faults stop, left
/// without one, no reply of a model recorded twice, no rollout in the log
/// before its grade where graders grade, bounded memory. Once the faults stop
/// the barriers close in bounded time, and the search ends with the same
/// documents and decisions as without any fault. Some seeds gather with a
/// quorum: they must end as the same search without any cluster does in which
/// the same trees are late.

#include <cstdint>
#include <functional>
#include <string>

namespace brewery::simulated {

struct sim_options {
  std::uint64_t seed = 1;
  bool faults = true;
  /// Called with every fault, and with the state from time to time; may be
  /// empty.
  std::function<void(const std::string&)> trace;
};

struct sim_report {
  std::string violation; ///< empty: all invariants held
  std::uint64_t events = 0, messages = 0, faults = 0;
  std::uint64_t jobs = 0, adopted = 0, stale = 0, backups = 0;
  std::uint64_t ahead = 0;  ///< leases to workers without a free slot
  std::uint64_t calls = 0;  ///< recorded model calls
  std::uint64_t grades = 0; ///< made by graders
  std::uint64_t late = 0;   ///< reports that missed a barrier with a quorum
  double simulated_seconds = 0;
};

sim_report simulate_cluster(const sim_options& options);

} // namespace brewery::simulated
