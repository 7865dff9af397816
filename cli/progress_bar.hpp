#pragma once
/// The progress of a command that works through a list: on a terminal one line
/// on standard error that is rewritten, elsewhere nothing. Used by one thread.

#include <chrono>
#include <cstddef>
#include <string>

namespace brewery {

class progress_bar {
public:
  /// `what` names the items in the plural: "rollouts".
  progress_bar(std::string what, std::size_t total);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void step();
  /// Clears the line before other output.
  void clear();

private:
  using clock = std::chrono::steady_clock;

  std::string what_;
  std::size_t total_, done_ = 0;
  bool on_terminal_, shown_ = false;
  clock::time_point began_ = clock::now(), last_shown_{};
};

} // namespace brewery
