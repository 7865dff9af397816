#pragma once
/// Child processes of a benchmark, and what a process uses.

#include "base/error.hpp"
#include "process/spawn.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace brewery::bench {

using bench_clock = std::chrono::steady_clock;

inline double seconds_since(bench_clock::time_point began) {
  return std::chrono::duration<double>(bench_clock::now() - began).count();
}

[[noreturn]] inline void stop(const std::string& why) {
  throw std::runtime_error{why};
}

/// User and system time from a line of `stat` in /proc.
inline double cpu_seconds_of(std::string_view stat) {
  const auto end = stat.rfind(')');
  if (end == std::string_view::npos) return 0; // it has ended
  std::istringstream rest{std::string{stat.substr(end + 2)}};
  std::string skipped;
  constexpr int before_utime = 11;
  for (int i = 0; i < before_utime; ++i)
    rest >> skipped;
  double user = 0, system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

inline std::string first_line(const std::filesystem::path& file) {
  std::ifstream in{file};
  std::string line;
  std::getline(in, line);
  return line;
}

/// The destructor kills the process and waits for it.
class child {
public:
  explicit child(std::vector<std::string> words)
      : pid_(brewery::child::spawn(
          {words.front(), "", words, brewery::child::own_variables()})) {
    if (pid_ < 0) stop("cannot start " + words.front());
  }
  child(child&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  child& operator=(child&&) = delete;
  ~child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  /// User and system time so far.
  [[nodiscard]] double cpu_seconds() const {
    return cpu_seconds_of(
        first_line("/proc/" + std::to_string(pid_) + "/stat"));
  }

private:
  pid_t pid_;
};

inline std::filesystem::path own_program() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

/// The program of the same build tree.
inline std::filesystem::path brewery_program() {
  return own_program().parent_path().parent_path() / "cli" / "brewery";
}

/// Resident memory of this process.
inline double resident_bytes() {
  std::ifstream in{"/proc/self/statm"};
  double pages = 0;
  in >> pages >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// User and system time of the threads of this process, by their names.
inline std::map<std::string, double> thread_cpu_seconds() {
  std::map<std::string, double> out;
  for (const auto& thread :
       std::filesystem::directory_iterator{"/proc/self/task"}) {
    const auto line = first_line(thread.path() / "stat");
    const auto begin = line.find('('), end = line.rfind(')');
    if (end == std::string::npos) continue; // it has ended
    out[line.substr(begin + 1, end - begin - 1)] += cpu_seconds_of(line);
  }
  return out;
}

/// User and system time of this process so far, over all threads.
inline double cpu_seconds() {
  rusage spent{};
  ::getrusage(RUSAGE_SELF, &spent);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec)
           + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(spent.ru_utime) + seconds(spent.ru_stime);
}

} // namespace brewery::bench
