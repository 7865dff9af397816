#pragma once
/// `[economy]`: rollouts that a search need not make (docs/economy.md). With
/// all of these off a run is algorithm 1 of the paper (BREW, arXiv:2511.20297).
/// config/schema_economy.cpp describes each field.

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

struct economy_options {
  /// A candidate that cannot become the best of its tree stops.
  bool bounds = true;
  std::uint32_t wave = 6; ///< rollouts of a candidate between two looks
  /// A candidate that is probably worse than another of its expansion stops;
  /// the best one does in at most this share of expansions. 0: none does.
  double racing = 0;

  /// "off", or "run": a rollout stands for another of this run whose agent
  /// would have read the same (economy/rollout_reuse.hpp).
  /// "sweep": also one of another run of the sweep.
  std::string reuse = "off";
  /// Other runs whose rollouts may stand: ids beside this run, or folders.
  std::vector<std::string> reuse_from{};
  double audit_reuse = 0; ///< share of such rollouts that are played all the
                          ///< same and compared, [0, 1]

  /// Fresh rollouts per held-out task of a version that would replace the
  /// published one, and as many of that one. 0: the better score decides.
  std::uint32_t confirm = 1;

  /// After neighbours changed, the versions that may be the best of their tree
  /// are scored again beside the new ones.
  bool rescore = false;

  bool operator==(const economy_options&) const = default;
};

} // namespace brewery
