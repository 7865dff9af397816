#pragma once
/// Counts the failed starts in a row of one program. Decides when it is started
/// again, and whether requests are refused meanwhile. Time is an argument.
/// Owned by the code that starts the program, and guarded by its lock.

#include "base/result.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace brewery::child {

struct restart_rules {
  /// The pause after the first failure. It doubles with each further failure.
  std::chrono::milliseconds first_pause{100};
  std::chrono::milliseconds longest_pause{5'000};
  /// The shortest pause after three failures.
  std::chrono::milliseconds refused_pause{0};
  /// How long the program is started again before requests are refused, if it
  /// has worked here before or was killed from outside.
  std::chrono::milliseconds patience{0};
};

class start_failures {
public:
  using time_point = std::chrono::steady_clock::time_point;

  explicit start_failures(restart_rules rules) : rules_(rules) {}

  void add(const error& why, time_point now);
  /// The program works: resets the count.
  void clear();

  /// The program is not started before this time.
  [[nodiscard]] time_point next_start() const { return next_start_; }
  /// Somebody starts it now. Others wait, or are refused, for another pause.
  void start_again(time_point now);

  /// Whether requests are refused until `next_start`; another machine may be
  /// able to start the program. A program that never worked here and ends by
  /// itself lacks something. One that has worked, or is killed, may recover.
  [[nodiscard]] bool given_up(time_point now, bool has_worked) const;

  /// ec::exhausted: "`what` cannot be started, 3 times in a row: why".
  [[nodiscard]] error refusal(std::string_view what) const;

private:
  [[nodiscard]] std::chrono::milliseconds pause() const;

  restart_rules rules_;
  std::uint32_t count_ = 0;
  error last_;
  time_point since_; ///< when the first of them failed
  time_point next_start_;
};

} // namespace brewery::child
