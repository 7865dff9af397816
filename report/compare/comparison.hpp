#pragma once
/// Runs beside each other, paired by task: scores with intervals, and
/// differences to the first. PURE.

#include "base/statistics.hpp"
#include "report/compare/measured_run.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace brewery {

/// Runs that differ in nothing but their seed, or a single run.
struct run_group {
  std::string name;
  std::vector<measured_run> runs; ///< not empty
};

struct compared {
  std::string name;
  std::size_t runs = 0;
  std::size_t tasks = 0; ///< graded, of all runs; the same task counts once
  std::optional<estimate> score; ///< empty: nothing was graded
  unscored_attempts unscored;
  /// Of a learner that tries a sealed task more than once for one score: what
  /// it made, and what is scored. 0: none is.
  std::uint64_t attempts = 0, scored_attempts = 0;
  /// To the first group, over the tasks that were graded in both.
  std::optional<estimate> difference;
  std::size_t paired_runs = 0, paired_tasks = 0;
};

struct comparison {
  std::string benchmark;
  bool whole_grades = true; ///< each is 0 or 1
  std::vector<compared> contenders;
};

/// Runs are paired by their seed; two contenders of one run each are paired
/// whatever their seeds. How the intervals are made: base/bootstrap.hpp.
/// Errors, all ec::invalid_argument: runs of other benchmarks; a group with
/// two runs of one seed; paired runs that measured other data.
result<comparison> compare(const std::vector<run_group>& contenders);

/// A score over seeds and tasks; empty if nothing was graded.
std::optional<estimate> score_of(const std::vector<measured_run>& runs);

/// A table and what its columns mean; `width` is as of `table`.
std::string comparison_text(const comparison& made, std::size_t width = 0);
nlohmann::ordered_json comparison_json(const comparison& made);

} // namespace brewery
