#include "process/quiet_write.hpp"

#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace brewery::child {

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

} // namespace brewery::child
