#include "learners/muse/sub_tasks.hpp"

#include <algorithm>
#include <utility>

namespace brewery::muse {

void sub_task_loop::planned(const std::vector<sub_task>& plan) {
  if (now_ != phase::plan) return;
  ++plans_;
  if (plan.empty()) {
    now_ = phase::over;
    return;
  }
  current_ = plan.front();
  record_ = {.description = current_.description,
             .goal = current_.goal,
             .tries = 1,
             .report = {}};
  in_try_ = 0;
  now_ = phase::act;
}

std::uint32_t sub_task_loop::actions_left() const {
  if (now_ != phase::act) return 0;
  const auto left = [](std::uint32_t limit, std::uint32_t used) {
    return limit > used ? limit - used : 0;
  };
  return std::min(left(limits_.actions_per_try, in_try_),
                  left(limits_.actions, in_all_));
}

void sub_task_loop::acted(std::uint32_t actions) {
  in_try_ += actions;
  in_all_ += actions;
  record_.actions += actions;
}

void sub_task_loop::claim() {
  if (now_ == phase::act) now_ = phase::check;
}

void sub_task_loop::checked(bool met, std::string report,
                            std::uint32_t probes) {
  if (now_ != phase::check) return;
  record_.met = met;
  record_.report = std::move(report);
  record_.probes += probes;
  const bool spent = in_all_ >= limits_.actions;
  if (!met && record_.tries < limits_.tries && !spent) {
    ++record_.tries;
    in_try_ = 0;
    now_ = phase::act;
    return;
  }
  records_.push_back(record_);
  plan_again();
}

/// The published code ends at its limits without another plan; so does this.
void sub_task_loop::plan_again() {
  exhausted_ = in_all_ >= limits_.actions || plans_ >= limits_.plans;
  now_ = exhausted_ ? phase::over : phase::plan;
}

} // namespace brewery::muse
