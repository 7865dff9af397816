#pragma once
/// `[environment.plant]`: the size and the difficulty of the simulated plant.

#include <cstdint>

namespace brewery {

struct plant_settings {
  std::uint64_t seed = 1;
  std::uint32_t machines = 64; ///< kinds of machines, each a concept
  std::uint32_t families = 8;  ///< kinds of a family share their words
  std::uint32_t train = 120;
  std::uint32_t eval = 192;
  std::uint32_t test = 192;
  double grade_noise =
      0.15;               ///< share of a train rollout's checks reported wrong
  double conflicts = 0.5; ///< share of faults whose remedy depends on the mode
  double strong = 0.5; ///< share of kinds with a remedy that jams a neighbour
  std::uint32_t spare_calls =
      3; ///< changing calls beyond those that are needed

  bool operator==(const plant_settings&) const = default;
};

} // namespace brewery
