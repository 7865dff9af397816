#include "learners/muse/attempts.hpp"

#include <fmt/format.h>

namespace brewery::muse {

namespace {

std::string interval_text(const estimate& of, const char* form) {
  return fmt::format(fmt::runtime(form), 100 * of.value, 100 * of.low,
                     100 * of.high);
}

} // namespace

void attempt_count::add(std::size_t task, const learner_task& what,
                        const rollout_result* made) {
  ++attempts;
  if (partial.size() <= task) partial.resize(task + 1);
  if (made == nullptr || made->outcome != rollout_outcome::graded) return;
  task_points one{0, what.checkpoints, made->grade.reward >= 1};
  for (const auto& own : made->muse) { // at most one
    one.met = own.checkpoints;
    calls += own.calls;
    for (const auto& sub : own.sub_tasks) {
      probes += sub.probes;
      ++sub_tasks;
      sub_tasks_met += sub.met ? 1 : 0;
    }
  }
  points.push_back(one);
  partial[task].push_back(partial_score(one));
}

std::string scores_text(const std::vector<attempt_count>& all) {
  if (all.empty()) return {};
  std::string out =
      "| attempts | checkpoints | S_ckpt | S_partial [95 %] | difference | "
      "completed | calls | calls per completed |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const auto& arm : all) {
    if (arm.points.empty()) {
      out +=
          fmt::format("| {} | - | - | no score | - | - | - | - |\n", arm.name);
      continue;
    }
    const auto total = score(arm.points);
    const auto with = estimate_mean(arm.partial, interval_seed);
    const auto apart = &arm == &all.front() || all.front().points.empty()
                           ? result<estimate>{error{ec::not_found, "the first"}}
                           : estimate_difference(
                               arm.partial, all.front().partial, interval_seed);
    out += fmt::format(
        "| {} | {}/{} | {} | {} | {} | {} of {}{} | {} | {} |\n", arm.name,
        total.met, total.total,
        total.total == 0 ? std::string{"-"}
                         : fmt::format("{:.2f}", 100 * total.checkpoints),
        interval_text(with, "{:.2f} [{:.2f}, {:.2f}]"),
        apart ? interval_text(*apart, "{:+.2f} [{:+.2f}, {:+.2f}]")
              : std::string{"-"},
        total.completed, arm.points.size(),
        arm.attempts == arm.points.size()
            ? std::string{}
            : fmt::format(", {} without a score",
                          arm.attempts - arm.points.size()),
        arm.calls + arm.probes,
        total.completed == 0
            ? std::string{"-"}
            : fmt::format("{:.1f}",
                          static_cast<double>(arm.calls + arm.probes)
                              / static_cast<double>(total.completed)));
  }
  return out;
}

} // namespace brewery::muse
