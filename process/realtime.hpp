#pragma once
/// Real-time scheduling (SCHED_RR at the lowest priority, sched(7)) for threads
/// that pass jobs on: sockets, actors that dispatch. Such a thread computes for
/// microseconds and sleeps again, and a job waits for the turns of seven of
/// them where other programs use all processors. In real time a thread runs
/// before every ordinary one. Each thread decides for itself.
///
/// Needs CAP_SYS_NICE, or RLIMIT_RTPRIO of at least 1.

#include "base/result.hpp"

#include <sched.h>

namespace brewery {

inline constexpr int realtime_policy = SCHED_RR, realtime_priority = 1;

/// Error ec::invalid_argument: this process may not.
result<void> check_realtime();

/// This thread, from now on. What it starts, threads and processes, is ordinary
/// (SCHED_RESET_ON_FORK). Without effect if it may not, or if somebody chose a
/// policy for it already (chrt(1)).
void schedule_in_realtime();

/// While it lives, this thread is ordinary: for what computes long, which must
/// not get ahead of everybody else. Without effect in a thread that did not ask
/// for real time.
class ordinary_scheduling {
public:
  ordinary_scheduling();
  ~ordinary_scheduling();
  ordinary_scheduling(const ordinary_scheduling&) = delete;
  ordinary_scheduling& operator=(const ordinary_scheduling&) = delete;
};

} // namespace brewery
