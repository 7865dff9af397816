#include "process/realtime.hpp"
#include "tests/fixtures/text.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <future>
#include <linux/capability.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace brewery;

namespace {

/// What `body` returns on a thread of its own.
template <class F>
auto on_a_thread(F body) {
  return std::async(std::launch::async, std::move(body)).get();
}

int policy() {
  return ::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
}

/// Of this thread and those that it starts.
void drop_the_capability() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> sets{};
  REQUIRE(::syscall(SYS_capget, &header, sets.data()) == 0);
  sets[0].effective &= ~(1U << CAP_SYS_NICE);
  sets[0].permitted &= ~(1U << CAP_SYS_NICE);
  sets[0].inheritable &= ~(1U << CAP_SYS_NICE);
  REQUIRE(::syscall(SYS_capset, &header, sets.data()) == 0);
}

/// The limit of real-time priorities, as long as it lives.
class priority_limit {
public:
  explicit priority_limit(rlim_t soft) {
    ::getrlimit(RLIMIT_RTPRIO, &before_);
    const rlimit now{soft, std::max(soft, before_.rlim_max)};
    set_ = ::setrlimit(RLIMIT_RTPRIO, &now) == 0;
  }
  priority_limit(const priority_limit&) = delete;
  priority_limit& operator=(const priority_limit&) = delete;
  ~priority_limit() { ::setrlimit(RLIMIT_RTPRIO, &before_); }
  [[nodiscard]] bool is_set() const { return set_; }

private:
  rlimit before_{};
  bool set_ = false;
};

bool lacks_realtime() {
  const auto ok = check_realtime();
  if (!ok) WARN("skipped: " << ok.error().message);
  return !ok;
}

} // namespace

TEST_CASE("real time is a thread's own, and pauses while it computes") {
  if (lacks_realtime()) return;
  const auto [during, within, heir, after] = on_a_thread([] {
    std::array<int, 4> out{};
    schedule_in_realtime();
    out[0] = policy();
    {
      const ordinary_scheduling while_computing;
      out[1] = policy();
    }
    out[2] = on_a_thread(policy);
    out[3] = policy();
    return out;
  });
  CHECK(during == SCHED_RR);
  CHECK(after == SCHED_RR);
  CHECK(within == SCHED_OTHER);
  CHECK(heir == SCHED_OTHER);
}

TEST_CASE("what a thread is already is not taken from it") {
  if (lacks_realtime()) return;
  CHECK(on_a_thread([] {
          sched_param highest{};
          highest.sched_priority = 2;
          ::sched_setscheduler(0, SCHED_FIFO, &highest);
          schedule_in_realtime();
          const ordinary_scheduling while_computing;
          return policy();
        })
        == SCHED_FIFO);
}

TEST_CASE("real time is refused without the right, and says which") {
  const priority_limit none{0};
  const auto refused = on_a_thread([] {
    drop_the_capability();
    return check_realtime();
  });
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::invalid_argument);
  CHECK(contains(refused.error().message, "LimitRTPRIO=1"));
}

TEST_CASE("a limit of one is enough for real time, the niceness stays") {
  const priority_limit one{1};
  if (!one.is_set()) {
    WARN("skipped: RLIMIT_RTPRIO cannot be raised here");
    return;
  }
  const auto [during, within, again, niceness] = on_a_thread([] {
    std::array<int, 4> out{};
    ::setpriority(PRIO_PROCESS, 0, 3); // of this thread
    drop_the_capability();
    schedule_in_realtime();
    out[0] = policy();
    {
      const ordinary_scheduling while_computing;
      out[1] = policy();
      out[3] = ::getpriority(PRIO_PROCESS, 0);
    }
    out[2] = policy();
    return out;
  });
  CHECK(during == SCHED_RR);
  CHECK(within == SCHED_OTHER);
  CHECK(again == SCHED_RR);
  CHECK(niceness == 3);
}
