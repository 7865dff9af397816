#include "report/run_overview_json.hpp"

namespace brewery {

json overview_json(const run_overview& run) {
  auto arms = json::array();
  for (const auto& arm : run.arms) {
    arms.push_back(
        {{"name", arm.name}, {"split", arm.split}, {"tasks", arm.tasks}});
    if (arm.reward) arms.back()["reward"] = *arm.reward;
    arms.back()["ungraded"] = arm.unscored.count;
    arms.back()["ungraded_share"] = arm.unscored.share();
    arms.back()["reward_lowest"] = arm.unscored.lowest;
    arms.back()["reward_highest"] = arm.unscored.highest;
  }
  json out{{"id", run.id},
           {"group", run.group},
           {"state", to_string(run.state)},
           {"reason", run.reason},
           {"started_ms", run.started_ms},
           {"seconds", run.seconds},
           {"cost_usd", run.cost_usd},
           {"iteration", run.iteration},
           {"concepts", run.concepts},
           {"events", run.events},
           {"evaluations", std::move(arms)}};
  if (run.has_options) {
    out["seed"] = run.seed;
    out["iterations"] = run.iterations;
  }
  if (run.reward) out["reward"] = *run.reward;
  if (run.score) out["score"] = *run.score;
  if (run.late_reports > 0) out["late_reports"] = run.late_reports;
  if (!run.problem.empty()) out["problem"] = run.problem;
  return out;
}

} // namespace brewery
