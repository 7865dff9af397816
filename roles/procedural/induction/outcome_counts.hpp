#pragma once
/// Counts how often rollouts that ended with a status line met a check, in a
/// setting. Each setting is counted in one pass at its first use. Refers to its
/// evidence; owned by one induction.
///
/// If every rollout of a task met a check, the task says nothing about what the
/// check needs. Such tasks are counted separately.

#include "roles/procedural/induction/evidence.hpp"

#include <map>
#include <unordered_map>

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
  struct pair_count {
    std::uint32_t met = 0, unmet = 0;
  };
  using by_task = std::map<task_number, pair_count>;
  struct group {
    by_task all;
    std::unordered_map<line_number, by_task> by_line;
  };
  using group_key = std::pair<setting::kind, line_number>;

  static void add(by_task& to, const outcome_row& row);
  static std::uint64_t pair_key(line_number line, line_number call) {
    return (std::uint64_t{line} << 32U) | call;
  }
  [[nodiscard]] const group* group_of(std::string_view check,
                                      const setting& where) const;

  std::map<std::string_view, std::vector<const outcome_row*>> by_check_;
  mutable std::map<std::string_view, std::map<group_key, group>> groups_;
  std::unordered_map<std::uint64_t, pair_count> with_call_;
};

} // namespace brewery
