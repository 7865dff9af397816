#include "process/error_lines.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "process/pipe_reading.hpp"

#include <array>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace brewery::child {

namespace {

constexpr std::size_t line_bytes_max = 500;
constexpr std::size_t tail_lines = 5;
constexpr std::size_t logged_lines_max = 100;

} // namespace

bool error_lines::take(int fd) {
  std::array<char, piece_bytes> piece; // NOLINT: read fills it
  const auto got = open_ ? ::read(fd, piece.data(), piece.size()) : -1;
  if (got == 0) open_ = false;
  if (got <= 0) return open_;
  rest_.append(piece.data(), static_cast<std::size_t>(got));
  std::size_t begin = 0;
  for (std::size_t end = 0;
       (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1)
    keep(std::string_view{rest_}.substr(begin, end - begin));
  rest_.erase(0, begin);
  if (rest_.size() > line_bytes_max) finish();
  return true;
}

void error_lines::take_rest(int fd) {
  // It may still say why in many small pieces, but its own children may write
  // for ever.
  const auto deadline = std::chrono::steady_clock::now() + end_patience;
  pollfd watched{fd, POLLIN, 0};
  while (open_
         && ::poll(&watched, 1, static_cast<int>(end_patience.count())) > 0) {
    take(fd);
    if (std::chrono::steady_clock::now() >= deadline) break;
  }
  finish();
}

void error_lines::finish() {
  if (!rest_.empty()) keep(std::exchange(rest_, {}));
}

void error_lines::keep(std::string_view line) {
  line = trim(line);
  if (line.empty()) return;
  auto shown = single_line(line, line_bytes_max);
  if (log_ && logged_ < logged_lines_max) log_(shown);
  if (log_ && logged_ == logged_lines_max)
    log_("... (more until the next request is not shown)");
  ++logged_;
  tail_.push_back(std::move(shown));
  if (tail_.size() > tail_lines) tail_.pop_front();
}

std::string error_lines::last_words() const {
  return join({tail_.begin(), tail_.end()}, " | ");
}

} // namespace brewery::child
