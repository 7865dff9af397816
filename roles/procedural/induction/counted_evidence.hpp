#pragma once
/// A table of evidence with what follows from it whatever the thresholds: the
/// draws of a concept differ in those alone. Each part is made at its first
/// use. Owned by the integrator, read by any thread.

#include "roles/procedural/induction/outcome_counts.hpp"
#include "roles/procedural/induction/transitions.hpp"

#include <memory>
#include <mutex>
#include <optional>

namespace brewery {

/// One observation. Refers to its evidence.
class counted_observation {
public:
  counted_observation(const evidence_table& table,
                      const observation_evidence& evidence);

  [[nodiscard]] const observation_evidence& evidence() const {
    return evidence_;
  }
  [[nodiscard]] const outcome_counts& counts() const;
  /// Alternative lines, as `evidence_table::changeable`.
  [[nodiscard]] const std::vector<std::vector<line_number>>& groups() const;
  /// How calls changed the lines of a group. Null if many different tools do:
  /// such a line is a symptom without a remedy of its own, the right tool
  /// depends on the cause.
  [[nodiscard]] const transitions* ways(std::size_t group) const;

private:
  struct lazy_ways {
    std::once_flag made;
    std::optional<transitions> ways;
  };
  [[nodiscard]] bool is_symptom(const std::vector<line_number>& values) const;

  const evidence_table& table_;
  const observation_evidence& evidence_;
  mutable std::once_flag counted_, grouped_;
  mutable std::optional<outcome_counts> counts_;
  mutable std::vector<std::vector<line_number>> groups_;
  mutable std::unique_ptr<lazy_ways[]> ways_; ///< by group
};

class counted_evidence {
public:
  /// Refers to `insights`, which must outlive it.
  explicit counted_evidence(const std::vector<counted_insight>& insights);
  explicit counted_evidence(std::vector<counted_insight>&&) = delete;

  [[nodiscard]] const evidence_table& table() const { return table_; }
  [[nodiscard]] const std::vector<std::unique_ptr<counted_observation>>&
  observations() const {
    return observations_;
  }

private:
  evidence_table table_;
  std::vector<std::unique_ptr<counted_observation>> observations_;
};

} // namespace brewery
