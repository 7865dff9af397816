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
  return cluster_group{std::move(*client), how};
}

void cluster_group::outlast(const std::atomic<bool>& stop,
                            std::function<void(const error&)> on_away) {
  stop_ = &stop;
  client_.stop_when([&stop] { return stop.load(); });
  on_away_ = std::move(on_away);
}

/// Each order may be sent twice: the coordinator knows a run that it has, and
/// refuses to end what has ended.
result<nlohmann::ordered_json> cluster_group::ask(const std::string& verb,
                                                  const order_words& words) {
  for (bool told = false;; told = true) {
    auto answer =
        client_.ask_json(verb, words, operator_client::sending::repeat);
    if (answer || answer.error().code != ec::timeout || !stop_) return answer;
    if (!told && !*stop_ && on_away_) on_away_(answer.error());
    await_coordinator();
    if (*stop_) return error{ec::cancelled, "stopped"};
  }
}

/// Until one answers anything. The patience of an order would hold up Ctrl-C;
/// this one is enough to try the other of two keys.
void cluster_group::await_coordinator() {
  auto where = where_;
  where.patience_s = 3;
  auto client = operator_client::open(where);
  if (client) client->stop_when([this] { return stop_->load(); });
  while (client && !*stop_) {
    const auto answer =
        client->ask("workers", {}, operator_client::sending::repeat);
    if (answer || answer.error().code != ec::timeout) return;
    pause_between_looks(*stop_);
  }
}

error cluster_group::which_ends_the_wait(error why) const {
  if (stop_ && why.code != ec::cancelled)
    why.message += "; once that is mended, the same command waits again";
  return why;
}

result<group_view> cluster_group::look() {
  const auto answer = ask("group", {{"name", group_}});
  if (!answer) return which_ends_the_wait(answer.error());
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
      {"group_point", std::to_string(point)},
      {"group_at_once", std::to_string(plan.at_once.value_or(0))},
      {"group_max_cost_usd", fmt::format("{}", plan.budget.max_cost_usd)},
      {"group_max_hours", fmt::format("{}", plan.budget.max_hours)}};
  if (hold_after) words.emplace("hold_after", std::to_string(*hold_after));
  const auto answer = ask("submit", words);
  if (!answer) return answer.error();
  return !answer->value("known", false);
}

result<std::optional<rung_figures>>
cluster_group::reward(const std::string& run, std::uint32_t iteration) {
  const auto answer = ask("reward", {{"id", grouped_run_id(group_, run)},
                                     {"iteration", std::to_string(iteration)}});
  if (!answer) return which_ends_the_wait(answer.error());
  if (!answer->value("reached", false)) return std::optional<rung_figures>{};
  const auto& told = (*answer)["reward"];
  rung_figures out;
  if (told.is_number()) out.reward = told.get<double>();
  return std::optional{out};
}

void cluster_group::end_held(const std::string& run, const std::string& why) {
  // Refused if it is held no more; then there is nothing to end.
  (void)ask("cancel", {{"id", grouped_run_id(group_, run)}, {"reason", why}});
}

namespace {

/// The count of runs that ended like that.
std::size_t& count_of(const std::string& state, sweep_view& in) {
  if (state == "finished") return in.finished;
  if (state == "interrupted") return in.interrupted;
  if (state == "cancelled") return in.cancelled;
  return in.failed;
}

} // namespace

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
      const auto rollouts = known->second["rollouts"].get<std::uint64_t>();
      const auto state = known->second["state"].get<std::string>();
      out.rollouts += rollouts;
      if (state != "finished" && cut.contains(p)) {
        ++out.cut;
        continue;
      }
      if (state == "running" || state == "stopping") out.running.push_back(run);
      if (state == "finished") out.finished_rollouts += rollouts;
      if (state == "held" || !is_over(known->second))
        out.unended.push_back(rollouts);
      else
        ++count_of(state, out);
    }
  return out;
}

void pause_between_looks(const std::atomic<bool>& stop) {
  for (int i = 0; i < 10 && !stop; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
}

} // namespace brewery
