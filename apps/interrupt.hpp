#pragma once
/// Ctrl-C and SIGTERM for a long command. Made before any thread starts, so
/// that every thread leaves the signals to this one. The first signal calls
/// back once; a second ends the process at once (nothing acknowledged is lost:
/// the log is durable). Between signals it calls `tick` a few times a second.

#include <atomic>
#include <functional>
#include <thread>

namespace brewery {

class interrupt_watch {
public:
  interrupt_watch(std::function<void()> on_first, std::function<void()> tick);
  ~interrupt_watch();
  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;

  /// Call first in a command that will use a watch.
  static void block_signals();

  [[nodiscard]] bool interrupted() const { return interrupted_; }

private:
  void run();

  std::function<void()> on_first_, tick_;
  std::atomic<bool> interrupted_{false}, done_{false};
  std::thread thread_;
};

} // namespace brewery
