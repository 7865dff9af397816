#include "process/spawn.hpp"

#include "process/descriptor_limit.hpp"

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

namespace brewery::child {

namespace {

/// What the child needs, prepared before the fork: afterwards only
/// async-signal-safe calls are allowed.
struct layout {
  const spawn_request& what;
  std::vector<char*> words, variables; ///< with a final null
  std::optional<rlimit> descriptors = descriptor_limit_of_children();
};

/// exec takes non-const pointers but does not change the texts.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const auto& text : texts)
    out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

[[noreturn]] void fail(const spawn_request& what, start_failure::stage at) {
  const start_failure failure{at, errno};
  // If this fails too, nobody can be informed.
  [[maybe_unused]] const auto sent =
      ::write(what.report, &failure, sizeof failure);
  ::_exit(127);
}

[[noreturn]] void become(const layout& laid_out, pid_t parent) {
  const auto& what = laid_out.what;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  ::setpgid(0, 0);
  // Ignored signals and the signal mask would survive exec.
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number)
    ::sigaction(number, &plain, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // No stream is overwritten: each number is above 2 or already in place.
  for (int stream = 0; stream < 3; ++stream)
    ::dup2(what.streams[static_cast<std::size_t>(stream)], stream);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  if (laid_out.descriptors) ::setrlimit(RLIMIT_NOFILE, &*laid_out.descriptors);
  if (!what.directory.empty() && ::chdir(what.directory.c_str()) != 0)
    fail(what, start_failure::directory);
  ::execve(what.program.c_str(), laid_out.words.data(),
           laid_out.variables.data());
  fail(what, start_failure::program);
}

/// For the kernel, "the parent ended" means that the *thread* that forked
/// ended. So one thread that lives as long as the process does all forks.
class forker {
public:
  static pid_t fork(const layout& what) {
    // Never destroyed: its thread uses it until the process ends.
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
    // Signals are handled by other threads.
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
  const layout* asked_ = nullptr; // guarded by mutex_, like the rest
  pid_t made_ = -1;
  int errno_ = 0;
};

} // namespace

pid_t spawn(const spawn_request& what) {
  return forker::fork({what, pointers(what.words), pointers(what.variables)});
}

std::vector<std::string> own_variables() {
  std::vector<std::string> out;
  for (char** variable = environ; variable && *variable; ++variable)
    out.emplace_back(*variable);
  return out;
}

} // namespace brewery::child
