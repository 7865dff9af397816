#include "cli/sweep/cluster_group.hpp"

#include "config/print.hpp"
#include "sweep/sweep_folder.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace brewery {

std::string grouped_run_id(const std::string& group, const std::string& run) {
  return fmt::format("{}.{}", group, run);
}

bool is_over(const nlohmann::ordered_json& run) {
  const auto state = run["state"].get<std::string>();
  return state != "running" && state != "stopping" && state != "queued";
}

result<cluster_group> cluster_group::open(const cluster_sweep& how) {
  auto client = operator_client::open(how.where);
  if (!client) return client.error();
  return cluster_group{std::move(*client), how.group};
}

result<group_view> cluster_group::look() {
  const auto answer = client_.ask_json("group", {{"name", group_}},
                                       operator_client::sending::repeat);
  if (!answer) return answer.error();
  group_view out;
  for (const auto& run : (*answer)["runs"])
    out.runs.emplace(run["id"].get<std::string>(), run);
  out.shared = (*answer)["rollouts_shared"].get<std::uint64_t>();
  out.over_budget = answer->value("over_budget", std::string{});
  return out;
}

result<bool> cluster_group::submit(const sweep_plan& plan, std::size_t point,
                                   std::uint64_t seed,
                                   std::optional<std::uint32_t> hold_after) {
  const auto& wanted = plan.points[point];
  std::map<std::string, std::string> words{
      {"config", to_toml(options_of_run(wanted, seed, "runs"))},
      {"id", grouped_run_id(group_, sweep_run_id(wanted.name, seed))},
      {"group", group_},
      {"group_at_once", std::to_string(plan.at_once.value_or(0))},
      {"group_max_cost_usd", fmt::format("{}", plan.budget.max_cost_usd)},
      {"group_max_hours", fmt::format("{}", plan.budget.max_hours)}};
  if (hold_after) words.emplace("hold_after", std::to_string(*hold_after));
  // Twice is as good as once: the coordinator knows the run then.
  const auto answer = client_.ask_json("submit", std::move(words),
                                       operator_client::sending::repeat);
  if (!answer) return answer.error();
  return !answer->value("known", false);
}

result<std::optional<rung_figures>>
cluster_group::reward(const std::string& run, std::uint32_t iteration) {
  const auto answer =
      client_.ask_json("reward",
                       {{"id", grouped_run_id(group_, run)},
                        {"iteration", std::to_string(iteration)}},
                       operator_client::sending::repeat);
  if (!answer) return answer.error();
  if (!answer->value("reached", false)) return std::optional<rung_figures>{};
  const auto& told = (*answer)["reward"];
  rung_figures out;
  if (told.is_number()) out.reward = told.get<double>();
  return std::optional{out};
}

void cluster_group::end_held(const std::string& run, const std::string& why) {
  // Refused if it is held no more; then there is nothing to end.
  (void)client_.ask_json("cancel",
                         {{"id", grouped_run_id(group_, run)}, {"reason", why}},
                         operator_client::sending::repeat);
}

sweep_view view_of(const sweep_plan& plan, const std::string& group,
                   const group_view& now, const std::set<std::size_t>& cut) {
  sweep_view out;
  out.runs = plan.runs();
  out.shared = now.shared;
  for (std::size_t p = 0; p < plan.points.size(); ++p)
    for (const auto seed : plan.seeds) {
      const auto run = sweep_run_id(plan.points[p].name, seed);
      const auto known = now.runs.find(grouped_run_id(group, run));
      if (known == now.runs.end()) {
        ++out.failed;
        continue;
      }
      out.rollouts += known->second["rollouts"].get<std::uint64_t>();
      const auto& state = known->second["state"];
      if (state != "finished" && cut.contains(p)) {
        ++out.cut;
        continue;
      }
      if (state == "queued" || state == "held") continue;
      if (!is_over(known->second))
        out.running.push_back(run);
      else if (state == "finished")
        ++out.finished;
      else
        ++out.failed;
    }
  return out;
}

void pause_between_looks(const std::atomic<bool>& stop) {
  for (int i = 0; i < 10 && !stop; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
}

} // namespace brewery
