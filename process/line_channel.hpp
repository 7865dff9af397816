#pragma once
/// Exchanges requests and replies of one line each with a child process. Time
/// and size are limited. A child that does not answer, ends, or writes without
/// a request is an error, after which the channel is unusable. The child's
/// standard error is passed on line by line, and its last lines are stored for
/// messages. Not thread-safe.

#include "process/child_process.hpp"
#include "process/error_lines.hpp"

#include <functional>

namespace brewery::child {

/// The longest line of either side, without its line end.
inline constexpr std::size_t max_line_bytes = std::size_t{16} << 20;

class line_channel {
public:
  line_channel(child_process process, log_sink log);

  /// From now on no reply is waited for once `stopped` says so, which is asked
  /// several times a second.
  void stop_when(std::function<bool()> stopped) {
    stopped_ = std::move(stopped);
  }

  /// Sends `line` (without a line break) and waits for its reply. Errors:
  /// ec::timeout; ec::malformed for a line that is too long or not requested;
  /// ec::io with the reason if the child has ended; ec::cancelled.
  result<std::string> exchange(std::string_view line,
                               std::chrono::milliseconds patience);

  /// Whether the child still runs and wrote nothing without a request. Also
  /// reads its standard error.
  bool idle_and_well();

  /// The last lines of standard error, joined: "a | b"; may be empty.
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
  std::function<bool()> stopped_; ///< may be empty
  std::string received_;
  std::size_t searched_ = 0; ///< of received_, without a line end
  bool output_open_ = true;
};

} // namespace brewery::child
