#pragma once
/// What is wrong with a task's own workbooks, found by grading them: a golden
/// that does not equal itself cannot be scored, an input that already passes
/// teaches nothing.

#include "envs/spreadsheet/dataset.hpp"
#include "envs/spreadsheet/service_set.hpp"

namespace brewery::spreadsheet {

struct check_options {
  bool all_cases = true;   ///< else case 1 alone
  bool recalculate = true; ///< also see whether goldens change by it
  bool inspect = true;     ///< also formulas without values, volatile functions
};

struct task_check {
  task_id task;
  /// "input-passes", "golden-unequal", "golden-unreadable", "missing-cases",
  /// "golden-uncached", "golden-changes", "golden-volatile", "input-volatile".
  std::vector<std::string> tags;
  std::vector<std::string> notes; ///< "case 2: ...", a line each
  std::size_t cases = 0;          ///< that were looked at
  bool free_pass = false;         ///< doing nothing passes case 1
  bool unscoreable = false; ///< the golden of case 1 does not equal itself

  [[nodiscard]] bool flawed() const { return free_pass || unscoreable; }
};

/// `cases`: how many the task should have. Errors: the services'.
result<task_check> check_task(const service_set& services,
                              const sheet_task& task, std::uint32_t cases,
                              const check_options& options);

} // namespace brewery::spreadsheet
