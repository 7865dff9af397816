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

fault_count count_faults(const toy_device& start, const toy_device& now,
                         std::size_t levels) {
  fault_count out;
  const auto count = [&out](bool faulty, bool mended) {
    out.faults += faulty ? 1 : 0;
    out.mended += faulty && mended ? 1 : 0;
  };
  for (std::size_t i = 0; i < start.switches.size(); ++i)
    count(!start.switches[i], now.switches[i]);
  count(start.outside && !start.guard, now.guard);
  for (std::size_t i = 0; i < start.dials.size(); ++i)
    count(start.dials[i] != right_level(i, levels),
          now.dials[i] == right_level(i, levels));
  for (std::size_t i = 0; i < start.latches.size(); ++i)
    count(start.latches[i] != latch_state::loose,
          now.latches[i] == latch_state::loose);
  return out;
}

void restart(toy_device& device) {
  std::replace(device.latches.begin(), device.latches.end(),
               latch_state::pending, latch_state::loose);
}

} // namespace brewery
