#pragma once
/// How calls changed the values of one key of one observation, and which first
/// step leads from a value towards good ones. Pure. Owned by one induction.

#include "roles/procedural/induction/evidence.hpp"

#include <map>
#include <optional>
#include <set>

namespace brewery {

class transitions {
public:
  transitions(const observation_evidence& observation,
              const std::vector<line_number>& values);

  struct step {
    std::vector<line_number> calls;
    line_number to = 0;
    std::vector<insight_id> sources;      ///< that led to `to`
    std::vector<rollout_number> rollouts; ///< that took this step; sorted
  };

  /// The first step of the shortest reliable way from each value to a good one.
  [[nodiscard]] std::map<line_number, step>
  remedies(const std::set<line_number>& good, double min_reliability) const;

private:
  struct arrival {
    std::uint32_t count = 0;
    std::vector<insight_id> sources;
  };
  struct attempt_count {
    std::uint32_t attempted = 0;
    std::vector<rollout_number> rollouts;
    std::map<line_number, arrival> arrivals; ///< at another value than before
  };
  using attempts_by_calls = std::map<std::vector<line_number>, attempt_count>;

  void record(line_number from, line_number to, std::vector<line_number> calls,
              const effect_row& row);

  static std::optional<step> best_step(const attempts_by_calls& attempts,
                                       const std::set<line_number>& reached,
                                       double min_reliability);

  std::map<line_number, attempts_by_calls> from_;
};

} // namespace brewery
