#pragma once
/// Fork and exec, for child_process only: what happens between the two, where
/// hardly anything is allowed.

#include <array>
#include <string>
#include <sys/types.h>
#include <vector>

namespace brewery::child {

/// What goes wrong between fork and exec, sent through a pipe that a
/// successful exec closes.
struct start_failure {
  enum stage : int { directory, program } at = program;
  int number = 0;
};

/// Everything the child needs, laid out before the fork: afterwards only
/// async-signal-safe calls are allowed. Not to be copied: it points into
/// itself.
struct spawn_request {
  std::string program, directory;
  std::vector<std::string> texts;
  std::vector<char*> arguments, variables; ///< of texts, null at the end
  std::array<int, 3> streams{};            ///< all above 2
  int report = -1;                         ///< where a start_failure goes
};

/// The new process, in a group of its own, or -1 and errno. It is killed when
/// this process ends.
pid_t spawn(const spawn_request& what);

} // namespace brewery::child
