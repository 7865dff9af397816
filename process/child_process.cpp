#include "process/child_process.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "messages/json.hpp"
#include "process/spawn.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace brewery::child {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds reap_pause{2};

struct pipe_ends {
  file_descriptor read, write;
};

result<pipe_ends> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return file_error("open", "a pipe to a child process");
  pipe_ends out{file_descriptor{ends[0]}, file_descriptor{ends[1]}};
  // In a process without standard streams, the pipes would get their numbers.
  for (auto* end : {&out.read, &out.write})
    if (end->get() <= STDERR_FILENO) {
      const int higher =
          ::fcntl(end->get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      if (higher < 0) return file_error("open", "a pipe to a child process");
      *end = file_descriptor{higher};
    }
  return out;
}

result<void> check_started(const child_command& command,
                           const file_descriptor& report) {
  start_failure failure;
  ssize_t got = 0;
  do
    got = ::read(report.get(), &failure, sizeof failure);
  while (got < 0 && errno == EINTR);
  if (got == 0) return {};
  const bool directory = failure.at == start_failure::directory;
  return error{failure.number == ENOENT ? ec::not_found : ec::io,
               fmt::format("cannot {} {}: {}", directory ? "go to" : "start",
                           json_quoted(directory ? command.directory.string()
                                                 : command.words.front()),
                           std::strerror(failure.number))};
}

} // namespace

result<std::string> find_program(const child_command& command) {
  const auto& name = command.words.front();
  const auto relative = [&](const fs::path& path) {
    return path.is_absolute() || command.directory.empty()
               ? path
               : command.directory / path;
  };
  if (name.find('/') != std::string::npos) {
    const auto file = relative(name);
    if (std::error_code none; fs::is_directory(file, none))
      return error{ec::not_found,
                   file.string() + " is a directory, not a program"};
    return file.string();
  }
  const char* path = std::getenv("PATH");
  for (const auto folder : split(path ? path : "/usr/bin:/bin", ':')) {
    const auto candidate = relative(folder.empty() ? "." : folder) / name;
    if (::access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate))
      return candidate.string();
  }
  return error{ec::not_found, fmt::format("there is no program {} in PATH",
                                          json_quoted(name))};
}

std::string child_command::shown() const {
  constexpr std::size_t shown_bytes_max = 120;
  return json_quoted(single_line(join(words, " "), shown_bytes_max));
}

child_process::child_process(pid_t pid, file_descriptor input,
                             file_descriptor output, file_descriptor errors)
    : pid_(pid), input_(std::move(input)), output_(std::move(output)),
      errors_(std::move(errors)) {}

child_process::child_process(child_process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), killed_(other.killed_),
      input_(std::move(other.input_)), output_(std::move(other.output_)),
      errors_(std::move(other.errors_)) {}

child_process& child_process::operator=(child_process&& other) noexcept {
  if (this == &other) return *this;
  end(std::chrono::milliseconds{0});
  pid_ = std::exchange(other.pid_, -1);
  killed_ = other.killed_;
  input_ = std::move(other.input_);
  output_ = std::move(other.output_);
  errors_ = std::move(other.errors_);
  return *this;
}

child_process::~child_process() {
  end(std::chrono::milliseconds{0});
}

result<child_process> child_process::start(const child_command& command) {
  BREWERY_ASSERT(!command.words.empty());
  auto program = find_program(command);
  if (!program) return program.error();
  auto in = make_pipe(), out = make_pipe(), err = make_pipe(),
       report = make_pipe();
  for (const auto* made : {&in, &out, &err, &report})
    if (!*made) return made->error();
  spawn_request what;
  what.program = std::move(*program);
  what.directory = command.directory.string();
  what.words = command.words;
  what.words.front() = what.program;
  for (const auto& [name, value] : command.variables)
    what.variables.push_back(name + "=" + value);
  what.streams = {in->read.get(), out->write.get(), err->write.get()};
  what.report = report->write.get();
  const auto pid = spawn(what);
  if (pid < 0) return file_error("fork for", command.words.front());
  child_process made{pid, std::move(in->write), std::move(out->read),
                     std::move(err->read)};
  // Parent and child both do this, so the group exists before it is killed.
  ::setpgid(pid, pid);
  for (const int fd : {made.input(), made.output(), made.errors()})
    ::fcntl(fd, F_SETFL, O_NONBLOCK);
  report->write = file_descriptor{};
  if (auto ok = check_started(command, report->read); !ok) return ok.error();
  return made;
}

bool child_process::ended() const {
  siginfo_t about{};
  return pid_ <= 0
         || (::waitid(P_PID, static_cast<id_t>(pid_), &about,
                      WEXITED | WNOHANG | WNOWAIT)
                 == 0
             && about.si_pid == pid_);
}

std::string child_process::end(std::chrono::milliseconds patience) {
  if (pid_ <= 0) return {};
  input_ = file_descriptor{};
  const auto deadline = std::chrono::steady_clock::now() + patience;
  bool by_itself = ended();
  while (!by_itself && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(reap_pause);
    by_itself = ended();
  }
  // Before reaping: until then the process id cannot be reused.
  ::kill(-pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  output_ = file_descriptor{};
  errors_ = file_descriptor{};
  if (!by_itself) return {};
  killed_ = WIFSIGNALED(status);
  if (killed_)
    return fmt::format("it was ended by signal {} ({})", WTERMSIG(status),
                       ::strsignal(WTERMSIG(status)));
  return fmt::format("it ended with exit status {}", WEXITSTATUS(status));
}

} // namespace brewery::child
