#pragma once
/// Counts how often rollouts that ended with a status line met a check, in a
/// setting. Each setting is counted in one pass at its first use. Refers to its
/// evidence; owned by the counted evidence, read by any thread.
///
/// If every rollout of a task met a check, the task says nothing about what the
/// check needs. Such tasks are counted separately.

#include "roles/procedural/induction/evidence.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace brewery {

/// A condition in addition to the line: none, a clause of the instruction, or
/// another line of the same observation.
struct setting {
  enum class kind { any, clause, line } what = kind::any;
  line_number number = 0;
};

/// Rollouts in a setting, of tasks that missed the check at least once.
struct tally {
  std::uint32_t met = 0, unmet = 0;
  std::uint32_t met_line = 0,
                unmet_line = 0; ///< of these, ending with the line
  std::uint32_t given =
      0; ///< rollouts of the other tasks, ending with the line
};

/// Rollouts that ended with a line: with or without a call that had no visible
/// effect, and whether they met the whole task.
struct need_tally {
  std::uint32_t met_with = 0, met_without = 0;
  std::uint32_t unmet_with = 0, unmet_without = 0;
};

class outcome_counts {
public:
  explicit outcome_counts(const observation_evidence& observation);

  /// True if the rollouts of this row were in the setting.
  static bool matches(const setting& where, const outcome_row& row);

  [[nodiscard]] tally of(std::string_view check, const setting& where,
                         line_number line) const;

  [[nodiscard]] need_tally need_of(line_number line, line_number call) const;

private:
  /// Lines, clauses, calls and tasks by their place here, which are dense.
  using place = std::uint32_t;
  struct pair_count {
    std::uint32_t met = 0, unmet = 0;
  };
  struct task_outcomes {
    place task;
    pair_count count;
  };
  /// The rollouts that ended with these lines, under these clauses.
  struct placed_row {
    std::vector<place> lines;
    std::vector<task_outcomes> tasks;
  };
  /// Rollouts that ended with a line, of tasks that missed the check and of
  /// those that never did.
  struct line_sum {
    std::uint32_t met = 0, unmet = 0, given = 0;
  };
  /// A setting, counted for each line that its rows show.
  struct group {
    line_sum all;
    std::vector<place> lines; ///< sorted
    std::vector<line_sum> shown;
  };
  struct lazy_group {
    std::once_flag counted;
    group made;
  };
  struct checked_rows {
    std::vector<placed_row> rows;
    std::vector<std::vector<place>> by_setting; ///< places of rows
    std::unique_ptr<lazy_group[]> groups;       ///< by setting
  };

  void place_rows(const observation_evidence& observation);
  void count_calls(const observation_evidence& observation);
  /// One number for each setting; empty for one that no row is in.
  [[nodiscard]] std::optional<std::size_t>
  place_of_setting(const setting& where) const;
  [[nodiscard]] group counted(const checked_rows& rows,
                              const std::vector<place>& here) const;

  std::vector<line_number> lines_, clauses_, calls_; ///< sorted
  std::size_t tasks_ = 0;
  std::map<std::string_view, checked_rows> by_check_;
  std::vector<pair_count> by_line_;   ///< of the whole task
  std::vector<pair_count> with_call_; ///< by call, then by line
};

} // namespace brewery
