#include "cli/sweep/cluster_sweep.hpp"

#include "base/text.hpp"
#include "cli/operator/fetched_run.hpp"
#include "config/load.hpp"
#include "config/print.hpp"
#include "run/interrupt.hpp"
#include "run/resume/stored_summary.hpp"
#include "store/directory_lock.hpp"
#include "store/run_directory.hpp"
#include "sweep/run_end.hpp"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <thread>

namespace brewery {

namespace {

using json_value = nlohmann::ordered_json;

/// What the coordinator says of the group's runs, by their id there.
using run_states = std::map<std::string, json_value>;

struct group_view {
  run_states runs;
  std::uint64_t shared = 0;
};

result<group_view> look(operator_client& client, const std::string& group) {
  const auto answer = client.ask_json("group", {{"name", group}},
                                      operator_client::sending::repeat);
  if (!answer) return answer.error();
  group_view out;
  for (const auto& run : (*answer)["runs"])
    out.runs.emplace(run["id"].get<std::string>(), run);
  out.shared = (*answer)["rollouts_shared"].get<std::uint64_t>();
  return out;
}

bool waits(const json_value& run) {
  return run["state"] == "queued";
}

bool is_over(const json_value& run) {
  const auto state = run["state"].get<std::string>();
  return state != "running" && state != "stopping" && !waits(run);
}

/// Where the group stands.
sweep_view view_of(const sweep_plan& plan, const cluster_sweep& how,
                   const group_view& now) {
  sweep_view out;
  out.runs = plan.runs();
  out.shared = now.shared;
  for (const auto& point : plan.points)
    for (const auto seed : plan.seeds) {
      const auto run = sweep_run_id(point.name, seed);
      const auto known = now.runs.find(grouped_run_id(how.group, run));
      if (known == now.runs.end()) {
        ++out.failed;
        continue;
      }
      out.rollouts += known->second["rollouts"].get<std::uint64_t>();
      if (waits(known->second)) continue;
      if (!is_over(known->second))
        out.running.push_back(run);
      else if (known->second["state"] == "finished")
        ++out.finished;
      else
        ++out.failed;
    }
  return out;
}

/// Fetches one run, and notes what it came to.
result<void> fetch(const sweep_plan& plan, const cluster_sweep& how,
                   const group_view& now, std::size_t point, sweep_run& run) {
  const auto id = grouped_run_id(how.group, run.run);
  const auto known = now.runs.find(id);
  if (known == now.runs.end() || known->second["state"] != "finished") {
    run.state = sweep_run_state::failed;
    run.reason = known == now.runs.end()
                     ? "the coordinator does not know it"
                     : known->second.value(
                         "error", known->second["state"].get<std::string>());
    return {};
  }
  if (auto done = fetch_run(how.where, id, {}, how.out / run.run); !done)
    return done.error();
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

result<sweep_outcome> fetch_all(const sweep_plan& plan,
                                const cluster_sweep& how,
                                const group_view& now) {
  const auto lock = directory_lock::take(how.out);
  if (!lock) return lock.error();
  auto before = read_sweep_state(how.out);
  if (!before && before.error().code != ec::not_found) return before.error();
  auto state = extended(plan, before ? *before : sweep_state{});
  if (!state) return state.error();
  for (std::size_t p = 0; p < plan.points.size(); ++p)
    for (std::size_t s = 0; s < plan.seeds.size(); ++s) {
      auto& run = state->points[p].runs[s];
      if (auto ok = fetch(plan, how, now, p, run); !ok) return ok.error();
      if (auto ok = write_sweep_state(how.out, *state); !ok) return ok.error();
    }
  return sweep_outcome{std::move(*state), now.shared};
}

} // namespace

std::string grouped_run_id(const std::string& group, const std::string& run) {
  return fmt::format("{}.{}", group, run);
}

result<void> can_play_on_cluster(const sweep_plan& plan,
                                 const cluster_sweep& how) {
  if (plan.halving)
    return error{
        ec::invalid_argument,
        "[halving]: a coordinator plays every point whole; take it out "
        "of the file, or let this process play: without --group"};
  if (auto ok = run_directory::can_be_id(how.group); !ok) return ok.error();
  for (const auto& point : plan.points)
    for (const auto seed : plan.seeds)
      if (auto ok = run_directory::can_be_id(
              grouped_run_id(how.group, sweep_run_id(point.name, seed)));
          !ok)
        return ok.error();
  return {};
}

result<std::size_t> submit_sweep(const sweep_plan& plan,
                                 const cluster_sweep& how) {
  auto client = operator_client::open(how.where);
  if (!client) return client.error();
  std::size_t added = 0;
  for (const auto seed : plan.seeds)
    for (const auto& point : plan.points) {
      const auto run = sweep_run_id(point.name, seed);
      // Twice is as good as once: the coordinator knows the run then.
      const auto answer = client->ask_json(
          "submit",
          {{"config", to_toml(options_of_run(point, seed, "runs"))},
           {"id", grouped_run_id(how.group, run)},
           {"group", how.group},
           {"group_at_once", std::to_string(plan.at_once.value_or(0))},
           {"group_max_cost_usd", fmt::format("{}", plan.budget.max_cost_usd)},
           {"group_max_hours", fmt::format("{}", plan.budget.max_hours)}},
          operator_client::sending::repeat);
      if (!answer)
        return error{
            answer.error().code,
            fmt::format("run {}: {}{}", run, answer.error().message,
                        added == 0
                            ? std::string{}
                            : fmt::format("; {} submitted before it: `brewery "
                                          "cancel --group {}` stops them",
                                          counted(added, "run"), how.group))};
      if (!answer->value("known", false)) ++added;
    }
  return added;
}

result<sweep_outcome> await_sweep(const sweep_plan& plan,
                                  const cluster_sweep& how,
                                  const sweep_observer& observer) {
  auto client = operator_client::open(how.where);
  if (!client) return client.error();
  std::atomic<bool> stop{false};
  const interrupt_watch watch{[&] {
                                observer.on_interrupt();
                                stop = true;
                              },
                              [] {}};
  for (;;) {
    const auto now = look(*client, how.group);
    if (!now) return now.error();
    const auto view = view_of(plan, how, *now);
    observer.on_progress(view);
    if (view.finished + view.failed == view.runs)
      return fetch_all(plan, how, *now);
    for (int i = 0; i < 10 && !stop; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds{100});
    if (stop) return error{ec::cancelled, "stopped"};
  }
}

} // namespace brewery
