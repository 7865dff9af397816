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

/// Fetches one run, and notes what it came to. Error ec::over_budget: a limit
/// of the group stopped it.
result<void> fetch(const sweep_plan& plan, const cluster_sweep& how,
                   const group_view& now, const cut_points& cuts,
                   std::size_t point, sweep_run& run) {
  const auto id = grouped_run_id(how.group, run.run);
  const auto known = now.runs.find(id);
  run.cut.reset();
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
  if (known != now.runs.end() && !now.over_budget.empty()
      && known->second["state"] == "interrupted") {
    run.state = sweep_run_state::begun; // or never was, but it goes on alike
    run.reason.clear();
    return error{ec::over_budget, now.over_budget};
  }
  if (known == now.runs.end() || known->second["state"] != "finished") {
    run.state = sweep_run_state::failed;
    run.reason = known == now.runs.end()
                     ? "the coordinator does not know it"
                     : known->second.value(
                         "error", known->second["state"].get<std::string>());
    return {};
  }
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
  return sweep_outcome{std::move(*state), now.shared};
}

} // namespace brewery
