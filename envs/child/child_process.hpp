#pragma once
/// A program that was started by us and is ended by us: its own process group,
/// pipes for its three standard streams, nothing else inherited. Owned by one
/// line_channel; not for several threads at once.
///
/// When the owner lets go, the whole group is killed and the program reaped. If
/// this process dies first, the kernel kills the program (not what it forked).

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
  /// All the program sees of its environment.
  std::vector<std::pair<std::string, std::string>> variables;

  /// For messages: the words, shortened.
  [[nodiscard]] std::string shown() const;
};

class child_process {
public:
  /// Errors name the program: ec::not_found when there is none of that name,
  /// ec::io for everything else.
  static result<child_process> start(const child_command& command);

  child_process(child_process&& other) noexcept;
  child_process& operator=(child_process&& other) noexcept;
  ~child_process();

  // Ours are non-blocking.
  [[nodiscard]] int input() const { return input_.get(); }
  [[nodiscard]] int output() const { return output_.get(); }
  [[nodiscard]] int errors() const { return errors_.get(); }
  [[nodiscard]] pid_t pid() const { return pid_; }

  /// True once the program has ended (it stays unreaped).
  [[nodiscard]] bool ended() const;

  /// Tells it by the end of its input that it is not needed any more.
  void close_input() { input_ = file_descriptor{}; }

  /// Waits so long for it to end by itself, then kills the whole group. Says
  /// how it ended, "" when it had to be killed.
  std::string end(std::chrono::milliseconds patience);

  /// Whether a signal ended it before `end` did.
  [[nodiscard]] bool killed() const { return killed_; }

private:
  child_process(pid_t pid, file_descriptor input, file_descriptor output,
                file_descriptor errors);

  pid_t pid_ = -1;
  bool killed_ = false;
  file_descriptor input_, output_, errors_;
};

} // namespace brewery::child
