#include "envs/toy/device.hpp"

#include <algorithm>

namespace brewery {

glow light_of(const toy_device& device, std::size_t levels) {
  const bool latched =
      std::any_of(device.latches.begin(), device.latches.end(),
                  [](latch_state s) { return s != latch_state::loose; });
  if (latched) return glow::flickering;
  const bool open =
      std::find(device.switches.begin(), device.switches.end(), false)
      != device.switches.end();
  if (open || (device.outside && !device.guard)) return glow::dark;
  for (std::size_t i = 0; i < device.dials.size(); ++i)
    if (device.dials[i] != right_level(i, levels)) return glow::dim;
  return glow::bright;
}

void restart(toy_device& device) {
  std::replace(device.latches.begin(), device.latches.end(),
               latch_state::pending, latch_state::loose);
}

} // namespace brewery
