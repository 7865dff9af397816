#pragma once
/// Counts the runs of a sweep for its progress: those that its file has now,
/// each with the most that was ever seen of it. PURE.

#include "sweep/run_table.hpp"
#include "sweep/sweep_runner.hpp"

namespace brewery {

class sweep_count {
public:
  using amounts = run_table::amounts;

  /// `state` is one of `extended`. `open`: the runs under way. Nobody shares.
  [[nodiscard]] sweep_view of(const sweep_plan& plan, const sweep_state& state,
                              const std::map<std::string, amounts>& open);

private:
  /// By run. One that has just ended is under way no more, while the state
  /// still has what was noted of it before.
  std::map<std::string, amounts> most_;
};

} // namespace brewery
