#include "cli/sweep/fetched_sweep.hpp"

#include "cli/operator/fetched_run.hpp"
#include "run/resume/stored_summary.hpp"
#include "store/directory_lock.hpp"
#include "store/run_directory.hpp"
#include "sweep/run_end.hpp"
#include "sweep/sweep_folder.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

result<void> fetch_from(const cluster_sweep& how, const std::string& id,
                        const sweep_run& run) {
  const auto done = fetch_run(how.where, id, {}, how.out / run.run);
  if (done) return {};
  auto why = done.error();
  if (why.code == ec::timeout)
    why.message += "; the same command goes on where this one was";
  return why;
}

/// One that was ordered only has no log; who has neither rollouts nor a cost
/// has nothing to show either.
bool has_begun(const nlohmann::ordered_json& run) {
  return run.value("rollouts", std::uint64_t{0}) > 0
         || run.value("cost_usd", 0.0) > 0;
}

/// One that was stopped or failed: what it has is shown, and what it cost
/// counts. Its state and reason are the caller's to say.
result<void> fetch_unfinished(const cluster_sweep& how, const std::string& id,
                              const nlohmann::ordered_json& known,
                              sweep_run& run) {
  const auto state = known["state"].get<std::string>();
  if (state == "unreadable" || !has_begun(known)) return {};
  if (auto done = fetch_from(how, id, run); !done) return done;
  note_status(run, how.out);
  return {};
}

/// Notes why it is not finished. One that was cancelled or stopped goes on by
/// the same command, so it has not failed.
result<void> fetch_stopped(const cluster_sweep& how, const group_view& now,
                           const std::string& id,
                           const nlohmann::ordered_json& known,
                           sweep_run& run) {
  const auto state = known["state"].get<std::string>();
  const bool over_budget = !now.over_budget.empty() && state == "interrupted";
  if (over_budget || state == "cancelled") {
    run.state =
        has_begun(known) ? sweep_run_state::begun : sweep_run_state::waiting;
    run.reason = over_budget ? "" : state;
  } else {
    run.state = sweep_run_state::failed;
    run.reason = known.value("error", state);
  }
  if (auto ok = fetch_unfinished(how, id, known, run); !ok) return ok;
  if (over_budget) return error{ec::over_budget, now.over_budget};
  return {};
}

/// Fetches one run, and notes what it came to. Error ec::over_budget: a limit
/// of the group stopped it.
result<void> fetch(const sweep_plan& plan, const cluster_sweep& how,
                   const group_view& now, const cut_points& cuts,
                   std::size_t point, sweep_run& run) {
  const auto id = grouped_run_id(how.group, run.run);
  const auto known = now.runs.find(id);
  forget_end(run);
  if (const auto cut = cuts.find(point);
      cut != cuts.end() && known != now.runs.end()
      && known->second["state"] != "finished") {
    // Its log is what there is of it.
    if (auto done = fetch_from(how, id, run); !done) return done.error();
    run.state = sweep_run_state::cut;
    run.cut = cut->second;
    run.reason.clear();
    note_status(run, how.out);
    return {};
  }
  if (known == now.runs.end()) {
    run.state = sweep_run_state::failed;
    run.reason = "the coordinator does not know it";
    return {};
  }
  if (known->second["state"] != "finished")
    return fetch_stopped(how, now, id, known->second, run);
  if (auto done = fetch_from(how, id, run); !done) return done.error();
  const auto directory = run_directory::open(how.out, run.run);
  if (!directory) return directory.error();
  const auto options = options_of_run(plan.points[point], run.seed, how.out);
  const auto stored = stored_summary(*directory, options);
  if (!stored) return stored.error();
  if (!*stored)
    return error{ec::corrupt, fmt::format("{}: the coordinator's run has other "
                                          "options, or is not complete",
                                          (how.out / run.run).string())};
  note_end(run, **stored, options, how.out);
  return {};
}

} // namespace

result<sweep_outcome> fetch_sweep(const sweep_plan& plan,
                                  const cluster_sweep& how,
                                  const group_view& now,
                                  const cut_points& cuts) {
  const auto lock = directory_lock::take(how.out);
  if (!lock) return lock.error();
  auto before = read_sweep_state(how.out);
  if (!before && before.error().code != ec::not_found) return before.error();
  auto state = extended(plan, before ? *before : sweep_state{});
  if (!state) return state.error();
  // Who is killed meanwhile finds a sweep here, and goes on.
  if (auto ok = write_sweep_state(how.out, *state); !ok) return ok.error();
  std::optional<error> stopped; // what is finished is fetched all the same
  for (std::size_t p = 0; p < plan.points.size(); ++p)
    for (std::size_t s = 0; s < plan.seeds.size(); ++s) {
      auto& run = state->points[p].runs[s];
      if (auto ok = fetch(plan, how, now, cuts, p, run); !ok) {
        if (ok.error().code != ec::over_budget) return ok.error();
        stopped = ok.error();
      }
      if (auto ok = write_sweep_state(how.out, *state); !ok) return ok.error();
    }
  if (stopped) return *std::move(stopped);
  return sweep_outcome{std::move(*state), now.shared, how.group};
}

} // namespace brewery
