#include "envs/external/line_channel.hpp"

#include "base/text.hpp"
#include "envs/external/shown_text.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <unistd.h>

namespace brewery::external {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t piece_bytes = 65536;
constexpr std::size_t error_line_bytes_max = 500;
constexpr std::size_t error_tail_lines = 5;
constexpr std::size_t logged_lines_max = 100; ///< of one exchange
constexpr std::size_t shown_line_bytes_max = 120;
constexpr milliseconds end_patience{200};
constexpr milliseconds look_pause{250};

/// Writes without the signal that a closed pipe brings: whoever wrote this
/// program's main need not know.
ssize_t write_quietly(int fd, std::string_view bytes) {
  sigset_t pipe_signal, before, pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  ::pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const auto written = ::write(fd, bytes.data(), bytes.size());
  const int reason = errno;
  if (written < 0 && reason == EPIPE && !was_pending) {
    const timespec at_once{};
    while (::sigtimedwait(&pipe_signal, nullptr, &at_once) < 0
           && errno == EINTR) {
    }
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = reason;
  return written;
}

} // namespace

line_channel::line_channel(child_process process, log_sink log)
    : process_(std::move(process)), log_(std::move(log)) {}

result<std::string> line_channel::exchange(std::string_view line,
                                           milliseconds patience) {
  logged_ = 0;
  if (line.size() > max_line_bytes)
    return error{ec::malformed, fmt::format("a request of {} bytes is longer "
                                            "than the {} a line may have",
                                            line.size(), max_line_bytes)};
  if (!received_.empty())
    return error{
        ec::malformed,
        "it wrote to standard output without being asked: "
            + json_quoted(shown_text(received_, shown_line_bytes_max))};
  const auto deadline = steady_clock::now() + patience;
  const auto text = std::string{line} + '\n';
  std::string_view rest = text;
  for (;;) {
    if (const auto end = received_.find('\n', searched_);
        end != std::string::npos) {
      if (!rest.empty())
        return error{ec::malformed, "it answered before it was asked"};
      auto reply = received_.substr(0, end);
      received_.erase(0, end + 1);
      searched_ = 0;
      return reply;
    }
    searched_ = received_.size();
    if (received_.size() > max_line_bytes)
      return error{ec::malformed,
                   fmt::format("its reply is longer than the {} bytes a line "
                               "may have",
                               max_line_bytes)};
    if (!output_open_) return gone();
    if (auto ok = wait(!rest.empty(), deadline); !ok) return ok.error();
    if (!rest.empty())
      if (auto ok = send(rest); !ok) return ok.error();
    // Errors first: they say why the output ended.
    take_errors();
    take_output();
  }
}

result<void> line_channel::wait(bool writing, time_point deadline) {
  std::array<pollfd, 3> watched{
      {{process_.output(), POLLIN, 0},
       {errors_open_ ? process_.errors() : -1, POLLIN, 0},
       {writing ? process_.input() : -1, POLLOUT, 0}}};
  for (;;) {
    const auto left =
        std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0)
      return error{ec::timeout, "it did not answer in time"};
    const int ready =
        ::poll(watched.data(), watched.size(),
               static_cast<int>(std::min(left, look_pause).count()));
    if (ready > 0) return {};
    // What it forked may hold its output open.
    if (ready == 0 && process_.ended()) {
      output_open_ = false;
      return {};
    }
    if (ready < 0 && errno != EINTR)
      return file_error("wait for", "an environment");
  }
}

result<void> line_channel::send(std::string_view& rest) {
  const auto written = write_quietly(process_.input(), rest);
  if (written >= 0) {
    rest.remove_prefix(static_cast<std::size_t>(written));
    return {};
  }
  if (errno == EAGAIN || errno == EINTR) return {};
  // Its end says more than "broken pipe".
  take_errors();
  return gone();
}

line_channel::flow line_channel::take_output() {
  std::array<char, piece_bytes> piece; // NOLINT: read fills it
  while (received_.size() <= max_line_bytes) {
    const auto got = ::read(process_.output(), piece.data(), piece.size());
    if (got > 0) {
      received_.append(piece.data(), static_cast<std::size_t>(got));
    } else if (got == 0) {
      output_open_ = false;
      return flow::closed;
    } else if (errno != EINTR) {
      break;
    }
  }
  return flow::more;
}

line_channel::flow line_channel::take_errors() {
  std::array<char, piece_bytes> piece; // NOLINT: read fills it
  // Once around: a child that floods must not keep us from its output.
  const auto got =
      errors_open_ ? ::read(process_.errors(), piece.data(), piece.size()) : -1;
  if (got == 0) errors_open_ = false;
  if (got <= 0) return errors_open_ ? flow::more : flow::closed;
  error_rest_.append(piece.data(), static_cast<std::size_t>(got));
  std::size_t begin = 0;
  for (std::size_t end = 0;
       (end = error_rest_.find('\n', begin)) != std::string::npos;
       begin = end + 1)
    keep_error_line(std::string_view{error_rest_}.substr(begin, end - begin));
  error_rest_.erase(0, begin);
  if (error_rest_.size() > error_line_bytes_max) {
    keep_error_line(error_rest_);
    error_rest_.clear();
  }
  return flow::more;
}

void line_channel::keep_error_line(std::string_view line) {
  line = trim(line);
  if (line.empty()) return;
  auto shown = shown_text(line, error_line_bytes_max);
  if (log_ && logged_ < logged_lines_max) log_(shown);
  if (log_ && logged_ == logged_lines_max)
    log_("... (more until the next request is not shown)");
  ++logged_;
  error_tail_.push_back(std::move(shown));
  if (error_tail_.size() > error_tail_lines) error_tail_.pop_front();
}

error line_channel::gone() {
  // The rest of what it said comes before its end is known.
  const auto deadline = steady_clock::now() + end_patience;
  while (errors_open_ && steady_clock::now() < deadline) {
    pollfd watched{process_.errors(), POLLIN, 0};
    if (::poll(&watched, 1, static_cast<int>(end_patience.count())) <= 0) break;
    take_errors();
  }
  if (!error_rest_.empty()) keep_error_line(std::exchange(error_rest_, {}));
  auto how = process_.end(end_patience);
  if (how.empty()) how = "it closed its standard output, and was killed";
  return {ec::io, std::move(how)};
}

bool line_channel::idle_and_well() {
  logged_ = 0;
  take_errors();
  take_output();
  return output_open_ && received_.empty() && !process_.ended();
}

std::string line_channel::last_words() const {
  return join({error_tail_.begin(), error_tail_.end()}, " | ");
}

void line_channel::end(milliseconds patience) {
  process_.end(patience);
}

} // namespace brewery::external
