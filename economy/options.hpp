#pragma once
/// `[economy]`: work that a run may leave out because its outcome is known. All
/// off is algorithm 1 as it stands. config/schema_economy.cpp describes each
/// field.

#include <string>

namespace brewery {

struct economy_options {
  /// "off", or "run": a rollout without reflection stands for another of this
  /// run whose agent would have read the same (economy/rollout_reuse.hpp).
  std::string reuse = "off";
  double audit_reuse = 0; ///< share of such rollouts that are played all the
                          ///< same and compared, [0, 1]

  bool operator==(const economy_options&) const = default;
};

} // namespace brewery
