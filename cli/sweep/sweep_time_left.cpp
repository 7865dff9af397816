#include "cli/sweep/sweep_time_left.hpp"

#include <algorithm>

namespace brewery {

void sweep_time_left::observe(const sweep_view& view, double now) {
  if (rollouts_ && view.rollouts > *rollouts_) {
    last_ = moment{now, view.rollouts};
    if (!first_) first_ = last_;
  }
  rollouts_ = std::max(rollouts_.value_or(0), view.rollouts);
  left_ = estimate(view);
}

std::optional<double> sweep_time_left::estimate(const sweep_view& view) const {
  if (view.ended() >= view.runs) return 0;
  if (view.finished == 0 || !first_ || last_->at <= first_->at)
    return std::nullopt;
  const double each = static_cast<double>(view.finished_rollouts)
                      / static_cast<double>(view.finished);
  double rest = 0;
  for (const auto done : view.unended)
    rest += std::max(0.0, each - static_cast<double>(done));
  if (rest <= 0) return std::nullopt;
  return rest * (last_->at - first_->at)
         / static_cast<double>(last_->rollouts - first_->rollouts);
}

} // namespace brewery
