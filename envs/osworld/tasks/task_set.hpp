#pragma once
/// All tasks and splits of a data directory: evaluation_examples of an OSWorld
/// checkout, the checkout itself, or a directory of the same shape
/// (examples/osworld). Loaded once, immutable.

#include "envs/osworld/tasks/refusal.hpp"

#include <filesystem>
#include <map>

namespace brewery::osworld {

struct refused_task {
  std::size_t task = 0; ///< index
  refusal reason;
};

struct task_set {
  std::filesystem::path root;      ///< with examples/ and the split files
  std::vector<desktop_task> tasks; ///< by domain and id
  /// Name of the split file without .json -> indices of tasks that can be
  /// played, in the file's order.
  std::map<std::string, std::vector<std::size_t>> splits;
  std::vector<refused_task> refused; ///< in the order of `tasks`
  /// Hash of every file that defines a task: its JSON, the splits, and the
  /// local files that it uses.
  std::string content;
};

/// Errors name the file and the field. A split that names an unknown task is an
/// error.
result<task_set> load_tasks(const std::filesystem::path& directory,
                            const grading_means& means);

} // namespace brewery::osworld
