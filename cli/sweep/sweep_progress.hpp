#pragma once
/// The progress of a sweep on standard error, with the time that is left. Used
/// by one thread.

#include "cli/progress_printer.hpp"
#include "sweep/sweep_runner.hpp"

#include <chrono>
#include <optional>

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
  /// Runs that were finished when this session began took no time in it.
  [[nodiscard]] std::optional<double> left(const sweep_view& view,
                                           clock::time_point now) const;

  progress_style style_;
  std::optional<clock::time_point> began_;
  clock::time_point last_shown_{};
  std::size_t finished_before_ = 0, last_finished_ = 0;
  bool dirty_ = false;
};

} // namespace brewery
