#include "sweep/sweep_count.hpp"

#include <algorithm>

namespace brewery {

namespace {

void keep_more(sweep_count::amounts& most, std::uint64_t rollouts,
               double cost_usd) {
  most.rollouts = std::max(most.rollouts, rollouts);
  most.cost_usd = std::max(most.cost_usd, cost_usd);
}

void add(sweep_view& to, sweep_run_state state, std::uint64_t rollouts) {
  to.rollouts += rollouts;
  switch (state) {
  case sweep_run_state::waiting:
  case sweep_run_state::begun:
    to.unended.push_back(rollouts);
    break;
  case sweep_run_state::finished:
    ++to.finished;
    to.finished_rollouts += rollouts;
    break;
  case sweep_run_state::failed:
    ++to.failed;
    break;
  case sweep_run_state::cut:
    ++to.cut;
    break;
  }
}

} // namespace

sweep_view sweep_count::of(const sweep_plan& plan, const sweep_state& state,
                           const std::map<std::string, amounts>& open) {
  sweep_view out;
  out.runs = plan.runs();
  for (const auto& [run, now] : open) {
    out.running.push_back(run);
    keep_more(most_[run], now.rollouts, now.cost_usd);
  }
  for (std::size_t p = 0; p < state.points.size(); ++p)
    for (std::size_t s = 0; s < state.points[p].runs.size(); ++s) {
      const auto& run = state.points[p].runs[s];
      auto& most = most_[run.run];
      keep_more(most, run.rollouts, run.cost_usd);
      // The budget is that of all that was paid.
      out.cost_usd += most.cost_usd;
      // What the file does not have any more stands behind what it has.
      if (p < plan.points.size() && s < plan.seeds.size())
        add(out, run.state, most.rollouts);
    }
  return out;
}

} // namespace brewery
