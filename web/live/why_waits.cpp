#include "web/live/why_waits.hpp"

#include "run/live/live_file.hpp"
#include "store/run_status.hpp"

#include <fmt/format.h>

namespace brewery::web {

const waiting_reasons::group_state&
waiting_reasons::group(const std::string& name) {
  std::error_code ignored;
  if (!read_)
    for (const auto& run : all_) {
      const auto order = read_submission(run);
      if (!order || order->group.empty()) continue;
      auto& state = groups_[order->group];
      state.under_way +=
          std::filesystem::exists(live_path(run.path()), ignored);
      if (const auto status = read_run_status(run.path()))
        state.cost_usd += status->cost_usd;
    }
  read_ = true;
  return groups_[name];
}

std::string waiting_reasons::of_queued(const submission& order) {
  if (order.group.empty()) return "its coordinator has not begun it";
  const auto& now = group(order.group);
  if (order.group_max_cost_usd > 0 && now.cost_usd >= order.group_max_cost_usd)
    return fmt::format("the budget of group {} is used up: ${:.2f} of ${:.2f}",
                       order.group, now.cost_usd, order.group_max_cost_usd);
  if (order.group_at_once > 0)
    return fmt::format("its turn: of group {} at most {} go on at once, and {} "
                       "do",
                       order.group, order.group_at_once, now.under_way);
  return fmt::format("its coordinator has not begun it (group {})",
                     order.group);
}

void waiting_reasons::add(json& about, const run_directory& run) {
  std::error_code ignored;
  if (about["state"] == to_string(run_state::running)) {
    const auto now = read_live(run.path());
    if (now && !(*now)["waits"].empty()) about["waits"] = (*now)["waits"][0];
    return;
  }
  if (std::filesystem::exists(run.events(), ignored)) return;
  const auto order = read_submission(run);
  if (!order || order->cancelled) return;
  about["state"] = "queued";
  about.erase("problem");
  about["waits"] = of_queued(*order);
}

} // namespace brewery::web
