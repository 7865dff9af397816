#pragma once
/// Fork and exec, used nowhere else. Between the two calls hardly anything is
/// allowed. child_process uses it to start programs with pipes; callers that
/// start programs with other streams use it directly.

#include <array>
#include <string>
#include <sys/types.h>
#include <vector>

namespace brewery::child {

/// A failure between fork and exec, sent through a pipe that a successful exec
/// closes.
struct start_failure {
  enum stage : int { directory, program } at = program;
  int number = 0;
};

struct spawn_request {
  std::string program;            ///< a path
  std::string directory;          ///< empty: that of this process
  std::vector<std::string> words; ///< the first is argv[0]
  /// "NAME=VALUE", its complete environment.
  std::vector<std::string> variables;
  /// Its standard streams: each above 2, or those of this process.
  std::array<int, 3> streams{0, 1, 2};
  int report = -1; ///< receives a start_failure; -1: nobody does
};

/// Returns the new process, or -1 and errno. It has its own process group and
/// no other open files, and the limit of open files that this process had at
/// its start. It is killed when this process ends.
pid_t spawn(const spawn_request& what);

/// The variables of this process, for `variables`.
std::vector<std::string> own_variables();

} // namespace brewery::child
