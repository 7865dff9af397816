#include "envs/child/spawn.hpp"

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

namespace brewery::child {

namespace {

[[noreturn]] void fail(const spawn_request& what, start_failure::stage at) {
  const start_failure failure{at, errno};
  // Nobody is left to tell should even this fail.
  [[maybe_unused]] const auto sent =
      ::write(what.report, &failure, sizeof failure);
  ::_exit(127);
}

[[noreturn]] void become(const spawn_request& what, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  ::setpgid(0, 0);
  // Ignored signals and the mask would outlive exec.
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number)
    ::sigaction(number, &plain, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // All are above 2, see make_pipe.
  for (int stream = 0; stream < 3; ++stream)
    ::dup2(what.streams[static_cast<std::size_t>(stream)], stream);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  if (!what.directory.empty() && ::chdir(what.directory.c_str()) != 0)
    fail(what, start_failure::directory);
  ::execve(what.program.c_str(), what.arguments.data(), what.variables.data());
  fail(what, start_failure::program);
}

/// The kernel's "parent is gone" means the *thread* that forked. So one thread
/// that lives as long as the process forks them all.
class forker {
public:
  static pid_t fork(const spawn_request& what) {
    // Never destroyed: the thread waits on it until the process ends.
    static auto* const only = new forker;
    const std::lock_guard one_at_a_time{only->turn_};
    std::unique_lock lock{only->mutex_};
    only->asked_ = &what;
    only->changed_.notify_all();
    only->changed_.wait(lock, [] { return only->asked_ == nullptr; });
    errno = only->errno_;
    return only->made_;
  }

private:
  forker() {
    // Signals are for the threads that know what to do with them.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread{[this] { run(); }}.detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  [[noreturn]] void run() {
    std::unique_lock lock{mutex_};
    for (;;) {
      changed_.wait(lock, [this] { return asked_ != nullptr; });
      const auto parent = ::getpid();
      made_ = ::fork();
      if (made_ == 0) become(*asked_, parent);
      errno_ = errno;
      asked_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex turn_, mutex_;
  std::condition_variable changed_;
  const spawn_request* asked_ = nullptr; // guarded by mutex_, as the rest
  pid_t made_ = -1;
  int errno_ = 0;
};

} // namespace

pid_t spawn(const spawn_request& what) {
  return forker::fork(what);
}

} // namespace brewery::child
