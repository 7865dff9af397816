#include "process/realtime.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <thread>

namespace brewery {

namespace {

/// Whether this thread asked for real time and got it.
thread_local bool in_realtime = false;

/// Returns whether the kernel allowed it. The niceness stays.
bool set_policy(int policy) {
  sched_param priority{};
  priority.sched_priority = policy == realtime_policy ? realtime_priority : 0;
  return ::sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &priority) == 0;
}

} // namespace

result<void> check_realtime() {
  int failed = 0;
  // In a thread that ends: nothing has to be undone.
  std::thread{[&] {
    if (!set_policy(realtime_policy)) failed = errno;
  }}.join();
  if (failed == 0) return {};
  return error{
      ec::invalid_argument,
      fmt::format(
          "--realtime: the kernel refuses SCHED_RR to this process "
          "({}); allow it (LimitRTPRIO=1 in a systemd unit, "
          "`ulimit -r 1`, or the capability CAP_SYS_NICE; with real-time "
          "groups also cpu.rt_runtime_us of its control group) or leave "
          "the option out",
          std::strerror(failed))};
}

void schedule_in_realtime() {
  if (::sched_getscheduler(0) == SCHED_OTHER)
    in_realtime = set_policy(realtime_policy);
}

ordinary_scheduling::ordinary_scheduling() {
  if (in_realtime) set_policy(SCHED_OTHER);
}

ordinary_scheduling::~ordinary_scheduling() {
  if (in_realtime) set_policy(realtime_policy);
}

} // namespace brewery
