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
  /// A row with its lines and tasks by their place here, which are dense.
  struct placed_row {
    const outcome_row* row;
    std::vector<std::uint32_t> lines;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> tasks; ///< and count
  };
  /// A setting, counted for each line that its rows show and for the line's
  /// absence. The last of each is for all other lines.
  struct group {
    std::vector<std::uint32_t> lines; ///< their places, sorted
    std::vector<tally> shown, absent;
  };
  using group_key = std::pair<setting::kind, line_number>;

  static std::uint64_t pair_key(line_number line, line_number call) {
    return (std::uint64_t{line} << 32U) | call;
  }
  void place(const observation_evidence& observation);
  [[nodiscard]] group counted(const std::vector<placed_row>& rows,
                              const setting& where) const;
  [[nodiscard]] const group* group_of(std::string_view check,
                                      const setting& where) const;

  std::vector<line_number> lines_; ///< sorted
  std::size_t tasks_ = 0;
  std::map<std::string_view, std::vector<placed_row>> by_check_;
  mutable std::map<std::string_view, std::map<group_key, group>> groups_;
  std::unordered_map<std::uint64_t, pair_count> with_call_;
};

} // namespace brewery
