#pragma once
/// `[economy]`: rollouts that a search need not make (docs/economy.md). With
/// all of these off a run is algorithm 1 of the paper (BREW, arXiv:2511.20297).
/// config/schema_economy.cpp describes each field.

#include <cstdint>
#include <string>

namespace brewery {

struct economy_options {
  /// A candidate that cannot become the best of its tree stops.
  bool bounds = true;
  std::uint32_t wave = 4; ///< rollouts of a candidate between two looks

  /// "off", or "run": a rollout without reflection stands for another of this
  /// run whose agent would have read the same (economy/rollout_reuse.hpp).
  std::string reuse = "off";
  double audit_reuse = 0; ///< share of such rollouts that are played all the
                          ///< same and compared, [0, 1]

  bool operator==(const economy_options&) const = default;
};

} // namespace brewery
