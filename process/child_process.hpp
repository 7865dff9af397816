#pragma once
/// A child process with its own process group and pipes for its three standard
/// streams. It inherits nothing else. Owned by one line_channel or
/// service_channel; not thread-safe.
///
/// The destructor kills the whole group and reaps the program. If this process
/// dies first, the kernel kills the program (but not its own children).

#include "base/file.hpp"

#include <chrono>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace brewery::child {

struct child_command {
  std::vector<std::string> words; ///< program and arguments, at least one
  /// Working directory; empty: that of this process.
  std::filesystem::path directory;
  /// The complete environment of the program.
  std::vector<std::pair<std::string, std::string>> variables;

  /// For messages: the words, shortened.
  [[nodiscard]] std::string shown() const;
};

/// Finds the program like a shell: a name with a slash is a path, another is
/// looked up along PATH. Error ec::not_found names it.
result<std::string> find_program(const child_command& command);

class child_process {
public:
  /// The program gets its path as its own name, so that it finds the files
  /// beside it even if its PATH is another one. Errors name the program:
  /// ec::not_found if there is no such program, ec::io for everything else.
  static result<child_process> start(const child_command& command);

  child_process(child_process&& other) noexcept;
  child_process& operator=(child_process&& other) noexcept;
  ~child_process();

  // This side's ends of the pipes; non-blocking.
  [[nodiscard]] int input() const { return input_.get(); }
  [[nodiscard]] int output() const { return output_.get(); }
  [[nodiscard]] int errors() const { return errors_.get(); }
  [[nodiscard]] pid_t pid() const { return pid_; }

  /// True once the program has ended. It stays unreaped.
  [[nodiscard]] bool ended() const;

  /// Closes its input, which tells it that it is not needed any more.
  void close_input() { input_ = file_descriptor{}; }

  /// Waits this long for it to end, then kills the whole group. Returns how it
  /// ended, or "" if it had to be killed.
  std::string end(std::chrono::milliseconds patience);

  /// Whether a signal ended it before `end` was called.
  [[nodiscard]] bool killed() const { return killed_; }

private:
  child_process(pid_t pid, file_descriptor input, file_descriptor output,
                file_descriptor errors);

  pid_t pid_ = -1;
  bool killed_ = false;
  file_descriptor input_, output_, errors_;
};

} // namespace brewery::child
