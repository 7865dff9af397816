#pragma once
/// The counted insights of one concept as a table for rule induction. For each
/// observation, it has what the observation showed at the end of graded
/// rollouts and how calls changed it. Lines are interned, so that counting
/// loops compare integers. Owned by one integration.

#include "messages/kb_msgs.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace brewery {

using line_number = std::uint32_t;
using task_number = std::uint32_t;
using rollout_number = std::uint32_t;

/// Marks the value "the observation does not show this line".
inline constexpr line_number absence_bit = 1U << 31U;
inline constexpr line_number without(line_number line) {
  return line | absence_bit;
}
inline constexpr bool is_absence(line_number value) {
  return (value & absence_bit) != 0;
}

/// Counts rollouts that ended with these lines.
struct outcome_row {
  std::vector<line_number> lines;    ///< sorted
  std::vector<line_number> contexts; ///< sorted; instruction clauses
  std::vector<line_number> quiet;    ///< sorted; calls that changed nothing
  std::string_view check;
  bool met = false;
  std::uint32_t count = 0;
  std::vector<std::pair<task_number, std::uint32_t>> tasks; ///< count, by task
  std::vector<rollout_number> rollouts;
  insight_id source;
};

/// The lines of an observation before and after calls.
struct effect_row {
  std::vector<line_number> before; ///< sorted
  std::vector<line_number> after;  ///< sorted
  std::vector<line_number> actions;
  std::vector<line_number> quiet; ///< earlier calls without visible change
  std::uint32_t count = 0;
  std::vector<rollout_number> rollouts;
  insight_id source;
};

/// The evidence about one observation.
struct observation_evidence {
  std::string observation;
  std::vector<outcome_row> outcomes;
  std::vector<effect_row> effects;
};

class evidence_table {
public:
  /// Refers to `insights`, which must outlive the table.
  explicit evidence_table(const std::vector<counted_insight>& insights);
  explicit evidence_table(std::vector<counted_insight>&&) = delete;

  [[nodiscard]] const std::vector<observation_evidence>& observations() const {
    return observations_;
  }
  [[nodiscard]] const std::string& text(line_number number) const {
    return texts_[number];
  }

  /// The lines in the order of their texts, so that the order of the insights
  /// does not matter.
  [[nodiscard]] std::vector<line_number>
  by_text(const std::set<line_number>& lines) const;

  /// Whether a rollout met a check. Empty if its grade is not known here.
  [[nodiscard]] std::optional<bool> met(rollout_number rollout,
                                        std::string_view check) const;

  /// Groups of alternative lines of an observation: the values of each key that
  /// has at least two. If an observation shows several lines with the same key,
  /// or none, the table cannot tell which line became which. Then each line
  /// forms a group with its absence.
  [[nodiscard]] std::vector<std::vector<line_number>>
  changeable(const observation_evidence& observation) const;

private:
  enum class part : std::uint8_t { all, sorted, sorted_states };
  line_number intern(const std::string& text);
  /// Very many insights share a list, so each is read once.
  const std::vector<line_number>& intern(const insight_fact::text_list& list,
                                         part wanted);

  std::vector<std::pair<task_number, std::uint32_t>>
  tasks_of(const counted_insight& counted);
  std::vector<rollout_number> rollouts_of(const counted_insight& counted);

  std::vector<std::string> texts_;
  std::unordered_map<std::string, task_number> tasks_;       ///< look-up only
  std::unordered_map<std::string, line_number> numbers_;     ///< look-up only
  std::unordered_map<std::string, rollout_number> rollouts_; ///< look-up only
  std::map<std::pair<const void*, part>, std::vector<line_number>> lists_;
  std::unordered_map<std::string_view, std::unordered_map<rollout_number, bool>>
      grades_; ///< by check; look-up only
  std::vector<observation_evidence> observations_;
};

/// True if the lines contain `value`; for an absence, if they do not contain
/// its line.
bool holds(const std::vector<line_number>& sorted, line_number value);

} // namespace brewery
