#pragma once
/// Shows what a run is doing: on a terminal one line with a bar that is
/// rewritten, elsewhere a plain line from time to time, or JSON lines on
/// request. Used by one thread.

#include "actors/progress.hpp"
#include "run/live/time_left.hpp"

#include <nlohmann/json.hpp>

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

  /// A plain line, without control codes.
  [[nodiscard]] std::string line(const progress_view& view,
                                 clock::time_point now);

  /// The line of a terminal that shows `width` characters. What does not fit is
  /// left out, the least important first.
  [[nodiscard]] std::string bar_line(const progress_view& view,
                                     clock::time_point now, std::size_t width,
                                     bool colour);

private:
  void observe(const progress_view& view, clock::time_point now);
  [[nodiscard]] nlohmann::ordered_json as_json(const progress_view& view) const;

  progress_style style_;
  clock::time_point began_ = clock::now();
  clock::time_point last_shown_{};
  time_left left_;
  std::string last_phase_;
  std::uint32_t last_iteration_ = 0;
  bool dirty_ = false;
};

} // namespace brewery
