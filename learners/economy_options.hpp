#pragma once
/// `[economy]`: rollouts that a search need not make (docs/economy.md). With
/// all of these off a run is algorithm 1 of the paper (BREW, arXiv:2511.20297).

#include <cstdint>

namespace brewery {

struct economy_options {
  /// A candidate that cannot become the best of its tree stops.
  bool bounds = true;
  std::uint32_t wave = 4; ///< rollouts of a candidate between two looks

  bool operator==(const economy_options&) const = default;
};

} // namespace brewery
