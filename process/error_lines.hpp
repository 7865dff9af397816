#pragma once
/// The standard error of a child process: passed on line by line, up to a
/// limit; the last lines are stored for messages.

#include <deque>
#include <functional>
#include <string>
#include <string_view>

namespace brewery::child {

/// A line of the child's standard error, without control characters.
using log_sink = std::function<void(const std::string& line)>;

class error_lines {
public:
  explicit error_lines(log_sink log) : log_(std::move(log)) {}

  /// Reads once, so that a child that floods this pipe cannot block its output.
  /// Returns false if nothing more will come.
  bool take(int fd);

  /// Reads what a child that is about to end has left, and takes an unfinished
  /// line as complete: nothing more will come.
  void take_rest(int fd);

  /// Resets the count of lines for the limit.
  void restart_limit() { logged_ = 0; }

  [[nodiscard]] bool open() const { return open_; }

  /// The last lines, joined: "a | b"; may be empty.
  [[nodiscard]] std::string last_words() const;

private:
  void finish();
  void keep(std::string_view line);

  log_sink log_;
  std::string rest_;
  std::deque<std::string> tail_;
  std::size_t logged_ = 0;
  bool open_ = true;
};

} // namespace brewery::child
