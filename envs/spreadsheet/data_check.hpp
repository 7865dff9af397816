#pragma once
/// Finds problems in a task's own workbooks by grading them. A golden that does
/// not equal itself cannot be scored; an input that already passes teaches
/// nothing.

#include "envs/spreadsheet/dataset.hpp"
#include "envs/spreadsheet/play_options.hpp"
#include "envs/spreadsheet/service_set.hpp"

namespace brewery::spreadsheet {

struct check_options {
  bool all_cases = true;   ///< else only case 1
  bool recalculate = true; ///< also check whether it changes goldens
  bool inspect = true;     ///< also formulas without values, volatile functions
  position_parser parser = position_parser::official; ///< that of the reward
};

struct task_check {
  task_id task;
  /// "input-passes", "golden-unequal", "golden-unreadable", "missing-cases",
  /// "golden-uncached", "golden-changes", "golden-volatile", "input-volatile".
  std::vector<std::string> tags;
  std::vector<std::string> notes; ///< one line each: "case 2: ..."
  std::size_t cases = 0;          ///< number of checked cases
  bool free_pass = false;         ///< the unchanged input passes case 1
  bool unscoreable = false; ///< the golden of case 1 does not equal itself

  [[nodiscard]] bool flawed() const { return free_pass || unscoreable; }
};

/// `cases` is the expected number. Errors: those of the services,
/// with the task and the case.
result<task_check> check_task(const service_set& services,
                              const sheet_task& task, std::uint32_t cases,
                              const check_options& options);

} // namespace brewery::spreadsheet
