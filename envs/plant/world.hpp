#pragma once
/// The words of the simulated plant and its tasks: all nonsense, a function of
/// the options. Kinds of one family share verbs, names of gauges and status
/// words; which status word is the good one differs from kind to kind.

#include "envs/plant/machine.hpp"

#include <string>
#include <vector>

namespace brewery::plant {

struct family_words {
  std::vector<std::string> verbs, gauges, statuses, modes;
  std::string mode, trouble;
};

struct named_kind {
  std::string name;
  std::size_t family = 0;
  /// What tickets call its trouble; the name of the kind is in none.
  std::vector<std::string> troubles;
  /// The status words of good, low, high and jammed, by gauge.
  std::array<std::array<std::size_t, bad_count + 2>, gauge_count> statuses{};
  machine_kind does;
};

struct task {
  std::string id, split, ticket;
  std::vector<std::size_t> kinds;   ///< the machines at hand
  std::vector<machine_state> start; ///< parallel to kinds
  /// A shortest way without strong verbs: machine (of the task) and verb.
  std::vector<std::pair<std::size_t, std::size_t>> gold;
};

struct world {
  plant_settings options;
  std::string check, in_order, trouble;
  std::vector<family_words> families;
  std::vector<named_kind> kinds;
  std::vector<task> tasks; ///< train, eval, test; no two alike
};

world make_world(const plant_settings& options);

/// "Blorp: zin" for each gauge, and the mode.
std::string report(const world& where, const named_kind& kind,
                   const machine_state& state);

} // namespace brewery::plant
