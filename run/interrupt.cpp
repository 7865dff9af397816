#include "run/interrupt.hpp"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace brewery {

namespace {

sigset_t watched(bool hangup) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  if (hangup) sigaddset(&set, SIGHUP);
  return set;
}

constexpr long tick_ns = 200'000'000;

} // namespace

void interrupt_watch::block_signals(bool hangup) {
  const auto set = watched(hangup);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

interrupt_watch::interrupt_watch(std::function<void()> on_first,
                                 std::function<void()> tick,
                                 std::function<void()> on_hangup)
    : on_first_(std::move(on_first)), tick_(std::move(tick)),
      on_hangup_(std::move(on_hangup)), thread_([this] { run(); }) {}

interrupt_watch::~interrupt_watch() {
  done_ = true;
  thread_.join();
}

void interrupt_watch::run() {
  const auto set = watched(static_cast<bool>(on_hangup_));
  const timespec wait{0, tick_ns};
  while (!done_) {
    const int signal = sigtimedwait(&set, nullptr, &wait);
    if (signal < 0) {
      tick_();
      continue;
    }
    if (signal == SIGHUP) {
      on_hangup_();
      continue;
    }
    if (interrupted_.exchange(true)) _exit(interrupted_exit_code);
    on_first_();
  }
}

void end_interrupted(const char* doing, int code) {
  std::fprintf(stderr, "brewery: interrupted while %s\n", doing);
  _exit(code);
}

} // namespace brewery
