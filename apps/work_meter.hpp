#pragma once
/// How far a command is that works through a list: a line on standard error
/// that is rewritten on a terminal, nothing elsewhere. Used by one thread.

#include <chrono>
#include <cstddef>
#include <string>

namespace brewery {

class work_meter {
public:
  /// `what`: of how many, in the plural: "rollouts".
  work_meter(std::string what, std::size_t total);
  ~work_meter();
  work_meter(const work_meter&) = delete;
  work_meter& operator=(const work_meter&) = delete;

  void step();
  /// Takes the line away, so that other output starts on a clean one.
  void clear();

private:
  using clock = std::chrono::steady_clock;

  std::string what_;
  std::size_t total_, done_ = 0;
  bool on_terminal_, shown_ = false;
  clock::time_point began_ = clock::now(), last_shown_{};
};

} // namespace brewery
