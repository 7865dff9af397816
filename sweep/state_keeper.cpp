#include "sweep/state_keeper.hpp"

namespace brewery {

bool state_keeper::change(const run_place& where,
                          const std::function<void(sweep_run&)>& how) {
  const std::lock_guard lock{mutex_};
  how(state_.points[where.point].runs[where.run]);
  const auto written = write_sweep_state(sweep_, state_);
  if (!written && !broken_) broken_ = written.error();
  return written.has_value();
}

sweep_state state_keeper::state() const {
  const std::lock_guard lock{mutex_};
  return state_;
}

sweep_run state_keeper::run(const run_place& where) const {
  const std::lock_guard lock{mutex_};
  return state_.points[where.point].runs[where.run];
}

std::optional<error> state_keeper::broken() const {
  const std::lock_guard lock{mutex_};
  return broken_;
}

} // namespace brewery
