#include "process/line_channel.hpp"

#include "base/printable.hpp"
#include "messages/json.hpp"
#include "process/pipe_reading.hpp"
#include "process/quiet_write.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace brewery::child {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t shown_line_bytes_max = 120;

} // namespace

line_channel::line_channel(child_process process, log_sink log)
    : process_(std::move(process)), errors_(std::move(log)) {}

result<std::string> line_channel::exchange(std::string_view line,
                                           milliseconds patience) {
  errors_.restart_limit();
  if (line.size() > max_line_bytes)
    return error{ec::malformed, fmt::format("a request of {} bytes is longer "
                                            "than the {} a line may have",
                                            line.size(), max_line_bytes)};
  if (!received_.empty())
    return error{
        ec::malformed,
        "it wrote to standard output without being asked: "
            + json_quoted(single_line(received_, shown_line_bytes_max))};
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
    // Reads standard error first: it says why the output ended.
    errors_.take(process_.errors());
    take_output();
  }
}

result<void> line_channel::wait(bool writing, time_point deadline) {
  std::array<pollfd, 3> watched{
      {{process_.output(), POLLIN, 0},
       {errors_.open() ? process_.errors() : -1, POLLIN, 0},
       {writing ? process_.input() : -1, POLLOUT, 0}}};
  for (;;) {
    const auto left =
        std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0)
      return error{ec::timeout, "it did not answer in time"};
    if (stopped_ && stopped_()) return error{ec::cancelled, "stopped"};
    const int ready =
        ::poll(watched.data(), watched.size(),
               static_cast<int>(std::min(left, poll_interval).count()));
    // Its own children may hold its output open, and write to it.
    if (ready >= 0 && process_.ended()) {
      output_open_ = false;
      return {};
    }
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR)
      return file_error("wait for", "a child process");
  }
}

result<void> line_channel::send(std::string_view& rest) {
  const auto written = write_quietly(process_.input(), rest);
  if (written >= 0) {
    rest.remove_prefix(static_cast<std::size_t>(written));
    return {};
  }
  if (errno == EAGAIN || errno == EINTR) return {};
  // How it ended says more than "broken pipe".
  errors_.take(process_.errors());
  return gone();
}

void line_channel::take_output() {
  std::array<char, piece_bytes> piece; // NOLINT: read fills it
  while (received_.size() <= max_line_bytes) {
    const auto got = ::read(process_.output(), piece.data(), piece.size());
    if (got > 0) {
      received_.append(piece.data(), static_cast<std::size_t>(got));
    } else if (got == 0) {
      output_open_ = false;
      return;
    } else if (errno != EINTR) {
      break;
    }
  }
}

error line_channel::gone() {
  // Reads the rest before its end is reported.
  errors_.take_rest(process_.errors());
  auto how = process_.end(end_patience);
  if (how.empty()) how = "it closed its standard output, and was killed";
  return {ec::io, std::move(how)};
}

bool line_channel::idle_and_well() {
  errors_.restart_limit();
  errors_.take(process_.errors());
  take_output();
  return output_open_ && received_.empty() && !process_.ended();
}

std::string line_channel::last_words() const {
  return errors_.last_words();
}

void line_channel::end(milliseconds patience) {
  process_.end(patience);
}

} // namespace brewery::child
