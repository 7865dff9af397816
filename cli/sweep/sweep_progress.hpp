#pragma once
/// The progress of a sweep on standard error, with the time that is left. Used
/// by one thread.

#include "cli/progress_printer.hpp"
#include "cli/sweep/sweep_time_left.hpp"
#include "sweep/sweep_runner.hpp"

#include <chrono>

namespace brewery {

class sweep_progress {
public:
  using clock = std::chrono::steady_clock;

  explicit sweep_progress(progress_style style) : style_(style) {}

  void show(const sweep_view& view, clock::time_point now);
  /// Ends the rewritten line before other output.
  void finish();

  /// "2 of 15 runs finished, 3 at once, 1840 rollouts (612 shared), left 4
  /// min".
  [[nodiscard]] std::string line(const sweep_view& view, clock::time_point now);

private:
  progress_style style_;
  clock::time_point last_shown_{};
  std::size_t last_ended_ = 0;
  sweep_time_left left_;
  bool dirty_ = false;
};

} // namespace brewery
