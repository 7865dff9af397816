#pragma once
/// Request and reply, a line each, with a child process. Bounded in time and
/// size: a child that does not answer, ends, or writes what was not asked for
/// is an error, after which the channel is of no more use. What the child
/// writes to its standard error is passed on line by line, and the last of it
/// is kept for messages. Not for several threads at once.

#include "envs/child/child_process.hpp"
#include "envs/child/error_lines.hpp"

namespace brewery::child {

/// Longest line either side may write, without its end.
inline constexpr std::size_t max_line_bytes = std::size_t{16} << 20;

class line_channel {
public:
  line_channel(child_process process, log_sink log);

  /// Sends `line` (no line break in it) and waits for the one that answers it.
  /// Errors: ec::timeout, ec::malformed for a line too long or out of turn,
  /// ec::io when the child has ended, with how.
  result<std::string> exchange(std::string_view line,
                               std::chrono::milliseconds patience);

  /// Whether the child, which was not asked anything, is still there and
  /// silent. Takes in what it wrote to standard error.
  bool idle_and_well();

  /// The last lines of standard error, in one: "a | b"; may be empty.
  [[nodiscard]] std::string last_words() const;

  /// See child_process::end.
  void end(std::chrono::milliseconds patience);
  void close_input() { process_.close_input(); }
  [[nodiscard]] pid_t pid() const { return process_.pid(); }

private:
  using time_point = std::chrono::steady_clock::time_point;

  result<void> wait(bool writing, time_point deadline);
  result<void> send(std::string_view& rest);
  void take_output();
  error gone();

  child_process process_;
  error_lines errors_;
  std::string received_;
  std::size_t searched_ = 0; ///< of received_, without a line end
  bool output_open_ = true;
};

} // namespace brewery::child
