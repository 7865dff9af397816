#pragma once
/// Handles Ctrl-C and SIGTERM for a long command. Construct it before any
/// thread starts, so that all other threads block these signals. The first
/// signal calls back once. A second one ends the process at once; no
/// acknowledged result is lost, because the log is durable. `tick` is called a
/// few times per second.

#include <atomic>
#include <functional>
#include <thread>

namespace brewery {

class interrupt_watch {
public:
  /// With `on_hangup`, SIGHUP calls it instead of ending the process.
  interrupt_watch(std::function<void()> on_first, std::function<void()> tick,
                  std::function<void()> on_hangup = {});
  ~interrupt_watch();
  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;

  /// Call this first in a command that will use a watch; with `hangup` if the
  /// watch has an `on_hangup`.
  static void block_signals(bool hangup = false);

  [[nodiscard]] bool interrupted() const { return interrupted_; }

private:
  void run();

  std::function<void()> on_first_, tick_, on_hangup_;
  std::atomic<bool> interrupted_{false}, done_{false};
  std::thread thread_;
};

/// That a shell reports for SIGINT: 128 + 2.
constexpr int interrupted_exit_code = 130;

/// Ends the process at once, with one line: for a signal while a command still
/// starts, and nothing is lost.
[[noreturn]] void end_interrupted(const char* doing,
                                  int code = interrupted_exit_code);

} // namespace brewery
