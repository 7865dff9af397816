#pragma once
/// Shows what a run is doing: on a terminal one line that is rewritten,
/// elsewhere a plain line from time to time, or JSON lines on request.
/// Estimates the time left from the iterations so far. Used by one thread.

#include "actors/progress.hpp"

#include <chrono>
#include <cstdio>
#include <string>

namespace brewery {

enum class progress_style { none, terminal, plain, json_lines };

/// `--json` and `--quiet` take precedence over whether stderr is a terminal.
progress_style choose_progress(bool as_json_lines, bool quiet);

class progress_printer {
public:
  using clock = std::chrono::steady_clock;

  explicit progress_printer(progress_style style);

  void show(const progress_view& view, clock::time_point now);

  /// Ends the rewritten line before other output.
  void finish();

  /// The text of a line, without control codes.
  [[nodiscard]] std::string line(const progress_view& view,
                                 clock::time_point now);

private:
  /// Seconds left in this search; negative if unknown.
  double seconds_left(const progress_view& view, clock::time_point now);

  progress_style style_;
  clock::time_point began_ = clock::now();
  clock::time_point last_shown_{};
  clock::time_point search_began_ = began_;
  std::string search_;
  std::string last_phase_;
  std::uint32_t last_iteration_ = 0;
  bool dirty_ = false;
};

} // namespace brewery
