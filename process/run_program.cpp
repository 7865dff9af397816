#include "process/run_program.hpp"

#include "process/pipe_reading.hpp"
#include "process/quiet_write.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace brewery::child {

namespace {

using clock = std::chrono::steady_clock;

/// Reads what there is. Returns false at the end of the stream or beyond the
/// limit.
bool read_some(int fd, std::string& into, std::size_t most, bool& too_long) {
  std::array<char, piece_bytes> buffer;
  const auto bytes = ::read(fd, buffer.data(), buffer.size());
  if (bytes < 0) return errno == EINTR || errno == EAGAIN;
  if (bytes == 0) return false;
  into.append(buffer.data(), static_cast<std::size_t>(bytes));
  if (into.size() <= most) return true;
  too_long = true; // also if there is more to read of the other stream
  return false;
}

} // namespace

result<program_run> run_program(const child_command& command,
                                const std::string& input,
                                const run_bounds& bounds) {
  auto started = child_process::start(command);
  if (!started) return started.error();
  program_run out;
  const auto last = clock::now() + bounds.deadline;
  std::size_t sent = 0;
  bool output_open = true, errors_open = true, too_long = false;
  int reads_left = reads_after_end;
  while ((output_open || errors_open) && !too_long) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        last - clock::now());
    if (left.count() <= 0) break;
    if (sent == input.size()) started->close_input();
    const bool sending = sent < input.size();
    std::array<pollfd, 3> waits{
        pollfd{output_open ? started->output() : -1, POLLIN, 0},
        pollfd{errors_open ? started->errors() : -1, POLLIN, 0},
        pollfd{sending ? started->input() : -1, POLLOUT, 0}};
    const bool ended = started->ended();
    if (ended && reads_left-- == 0) break;
    const auto ready = ::poll(
        waits.data(), waits.size(),
        ended ? 0 : static_cast<int>(std::min(left, poll_interval).count()));
    if (ended && ready == 0) break;
    if (waits[0].revents != 0)
      output_open = read_some(started->output(), out.output,
                              bounds.output_bytes_most, too_long);
    if (waits[1].revents != 0)
      errors_open = read_some(started->errors(), out.errors,
                              bounds.output_bytes_most, too_long);
    if (waits[2].revents != 0) {
      const auto bytes =
          write_quietly(started->input(), std::string_view{input}.substr(sent));
      if (bytes > 0) sent += static_cast<std::size_t>(bytes);
      // It may end without reading its input.
      if (bytes < 0 && errno != EINTR && errno != EAGAIN) sent = input.size();
    }
  }
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      last - clock::now());
  out.ending =
      started->end(too_long ? std::chrono::milliseconds{0}
                            : std::max(std::chrono::milliseconds{0}, left));
  return out;
}

} // namespace brewery::child
