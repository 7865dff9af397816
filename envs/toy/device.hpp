#pragma once
/// The toy device: its faults, and what the light shows. Only values; the words
/// are in vocabulary.hpp, the tools in toy.cpp.
///
/// - a *switch* must be on; toggling it is the remedy;
/// - the *guard* is a switch that matters only outside, and is off inside;
/// - a *dial* must stand at its own level; the remedy takes an argument;
/// - a *latch* must be loose; the remedy has two steps: release it, which
///   leaves it pending, then restart the device.
///
/// The light is bright exactly if there is no fault. So the optimum of a task
/// is known: one action per fault, and one restart if a latch was stuck.

#include <cstddef>
#include <vector>

namespace brewery {

enum class latch_state { loose, pending, stuck };
enum class glow { bright, dim, dark, flickering };

struct toy_device {
  bool outside = false;
  bool guard = false;
  std::vector<bool> switches;
  std::vector<std::size_t> dials; ///< level of each
  std::vector<latch_state> latches;

  bool operator==(const toy_device&) const = default;
};

/// The right level of the dial, out of `levels`.
constexpr std::size_t right_level(std::size_t dial, std::size_t levels) {
  return (dial + 1) % levels;
}

/// The state of the light. The coarsest fault wins: a latch makes it flicker, a
/// switch or the guard makes it dark, a dial makes it dim.
glow light_of(const toy_device& device, std::size_t levels);

/// The parts of `start` that are faulty, and how many of these are not in
/// `now`: each is a checkpoint of the task.
struct fault_count {
  std::size_t faults = 0, mended = 0;
};
fault_count count_faults(const toy_device& start, const toy_device& now,
                         std::size_t levels);

/// Completes pending releases.
void restart(toy_device& device);

} // namespace brewery
