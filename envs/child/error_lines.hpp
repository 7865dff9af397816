#pragma once
/// What a child process writes to its standard error: passed on line by line,
/// with a limit, and the last of it kept for messages.

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

  /// Reads once: a child that floods must not keep its owner from its output.
  /// False when nothing more will come.
  bool take(int fd);

  /// The begun line is one too: nothing more will come.
  void finish();

  /// Lines are passed on again: the limit is between two of these.
  void restart_limit() { logged_ = 0; }

  [[nodiscard]] bool open() const { return open_; }

  /// The last lines, in one: "a | b"; may be empty.
  [[nodiscard]] std::string last_words() const;

private:
  void keep(std::string_view line);

  log_sink log_;
  std::string rest_;
  std::deque<std::string> tail_;
  std::size_t logged_ = 0;
  bool open_ = true;
};

} // namespace brewery::child
