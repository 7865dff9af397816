#include "cli/cluster_up/scaling.hpp"

#include <algorithm>
#include <tuple>

namespace brewery {

array_change change_to(std::uint32_t wanted,
                       const std::vector<engine_worker>& there,
                       const std::set<std::uint32_t>& busy) {
  array_change out;
  std::set<std::uint32_t> taken;
  for (const auto& worker : there)
    taken.insert(worker.id);
  for (std::uint32_t id = 0; taken.size() < wanted; ++id)
    if (taken.insert(id).second) out.start.push_back(id);
  if (there.size() <= wanted) return out;
  auto order = there;
  std::sort(order.begin(), order.end(),
            [&](const engine_worker& a, const engine_worker& b) {
              const auto key = [&](const engine_worker& w) {
                return std::tuple{w.running, busy.count(w.id) != 0,
                                  array_workers_max - w.id};
              };
              return key(a) < key(b);
            });
  for (std::size_t i = 0; i < there.size() - wanted; ++i)
    out.stop.push_back(order[i].id);
  std::sort(out.stop.begin(), out.stop.end());
  return out;
}

std::uint32_t wanted_workers(const cluster_load& load,
                             const scaling_bounds& bounds, std::uint32_t now,
                             std::int64_t now_s, std::int64_t& enough_since_s) {
  const auto jobs = load.queued + load.running;
  const auto needed = (jobs + bounds.slots - 1) / bounds.slots;
  const auto wanted = static_cast<std::uint32_t>(std::clamp<std::size_t>(
      needed, bounds.least, std::max(bounds.least, bounds.most)));
  if (wanted >= now) {
    enough_since_s = 0;
    return wanted;
  }
  if (enough_since_s == 0) enough_since_s = now_s;
  // Above the bounds nobody waits.
  if (now_s - enough_since_s < shrink_after_s)
    return std::min(now, bounds.most);
  enough_since_s = 0;
  return wanted;
}

} // namespace brewery
