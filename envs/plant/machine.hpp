#pragma once
/// One kind of machine of the simulated plant and what its tools do. Only
/// values; words are in world.hpp, tools in plant.cpp.
///
/// A machine has gauges. A gauge is good, bad in one of two ways, or jammed,
/// which nothing mends. In each mode a bad gauge has one remedy and one trap,
/// which jams it. A verb may upset a good gauge. A strong verb mends all bad
/// gauges at once, but jams the first gauge of the next machine of the task.

#include "envs/plant/options.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace brewery::plant {

inline constexpr std::size_t gauge_count = 2;
inline constexpr std::size_t verb_count = 5;
inline constexpr std::size_t mode_count = 2;

enum class reading : unsigned char { good, low, high, jammed };
inline constexpr std::size_t bad_count = 2; ///< low and high

using gauges = std::array<reading, gauge_count>;

struct machine_state {
  gauges shown{};
  std::size_t mode = 0; ///< never changes
  auto operator<=>(const machine_state&) const = default;
};

/// What a bad gauge needs in a mode, and what jams it.
struct cure {
  std::size_t remedy = 0, trap = 0;
};

struct machine_kind {
  std::array<std::array<std::array<cure, mode_count>, bad_count>, gauge_count>
      cures{};
  /// The verb that makes a good gauge bad, if one does.
  std::array<std::optional<std::size_t>, gauge_count> upset{};
  std::optional<std::size_t> strong;
};

/// A function of the seed and the number of the machine.
machine_kind make_kind(const plant_settings& options, std::size_t number);

bool fine(const machine_state& state);

/// What a verb does to its own machine.
void act(const machine_kind& kind, std::size_t verb, machine_state& state);

/// What a strong verb does to the next machine: its first gauge is jammed.
void disturb(machine_state& state);

/// A shortest way to a fine machine without the strong verb; empty if there is
/// none.
std::optional<std::vector<std::size_t>> way_out(const machine_kind& kind,
                                                const machine_state& start);

} // namespace brewery::plant
