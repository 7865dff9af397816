#include "run/live/live_state.hpp"

#include "base/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

constexpr std::size_t text_bytes_max = 500;

std::size_t running_of(const pool_status& pool, const run_id& run) {
  std::size_t out = 0;
  for (const auto& load : pool.loads)
    if (load.run == run) out += load.running;
  return out;
}

std::size_t queued_of(const pool_status& pool, const run_id& run) {
  std::size_t out = 0;
  for (const auto& load : pool.loads)
    if (load.run == run) out += load.queued;
  return out;
}

std::string state_of(const worker_view& worker) {
  if (worker.draining) return "draining";
  if (worker.suspended) return "suspended";
  return worker.busy > 0 ? "busy" : "idle";
}

/// Those that somebody should look at, then the busiest.
std::vector<const worker_view*> listed(const pool_status& pool) {
  std::vector<const worker_view*> out;
  for (const auto& worker : pool.workers)
    out.push_back(&worker);
  const auto rank = [](const worker_view* one) {
    return std::tuple{!one->suspended, !one->draining, one->failed == 0};
  };
  std::ranges::stable_sort(out, {}, rank);
  if (out.size() > live_workers_max) out.resize(live_workers_max);
  return out;
}

json workers_json(const pool_status& pool) {
  auto out = json::array();
  for (const auto* worker : listed(pool))
    out.push_back(
        {{"name", ascii_line(worker->spec.name, text_bytes_max)},
         {"host", ascii_line(worker->spec.host, text_bytes_max)},
         {"state", state_of(*worker)},
         {"slots", worker->spec.slots},
         {"busy", worker->busy},
         {"done", worker->done},
         {"failed", worker->failed},
         {"last_error", ascii_line(worker->last_error, text_bytes_max)}});
  return out;
}

json searches_json(const progress_view& view,
                   std::chrono::steady_clock::time_point when) {
  auto out = json::array();
  for (const auto& one : view.searches) {
    json search{
        {"search", one.search},       {"phase", one.phase},
        {"iteration", one.iteration}, {"iterations", one.iterations},
        {"trees", one.trees},         {"trees_reported", one.trees_reported},
        {"missing", one.missing}};
    if (one.first_report)
      search["waiting_s"] =
          std::chrono::duration<double>(when - *one.first_report).count();
    out.push_back(std::move(search));
  }
  return out;
}

/// "ID: 14 jobs wait (rollout): all slots are busy (workers: 2)" of this run
/// without its id; empty: it is about another run.
std::string own_line(const std::string& line, const run_id& run) {
  const auto start = run.value + ": ";
  return line.starts_with(start) ? line.substr(start.size()) : std::string{};
}

} // namespace

std::vector<std::string> why_it_waits(const live_state& now) {
  std::vector<std::string> out;
  if (now.pool && now.pool->paused)
    out.emplace_back("the event log cannot be written, because its disk is "
                     "full: no job is granted until it can");
  if (now.models && now.models->waiting > 0)
    out.push_back(fmt::format(
        "{} model {} for the budget, which calls under way have reserved ({})",
        now.models->waiting,
        now.models->waiting == 1 ? "call waits" : "calls wait",
        now.models_text));
  if (!now.pool || now.pool->paused) return out;
  const auto own = running_of(*now.pool, now.run);
  const auto others =
      now.pool->counts.leased - std::min(now.pool->counts.leased, own);
  for (const auto& line : now.pool->waiting) {
    auto text = own_line(line, now.run);
    if (text.empty()) continue;
    if (others > 0 && text.find("all slots are busy") != std::string::npos)
      text += fmt::format(", {} of them with other runs", others);
    out.push_back(std::move(text));
  }
  return out;
}

json live_json(const live_state& now,
               std::chrono::steady_clock::time_point when) {
  const auto& view = now.view;
  json out{{"search", view.search},
           {"phase", view.phase},
           {"searches", searches_json(view, when)},
           {"jobs", view.jobs_submitted},
           {"jobs_done", view.jobs_answered},
           {"evaluations_left", view.evaluations_left},
           {"rollouts", now.rollouts},
           {"rollouts_per_second", now.rollouts_per_second},
           {"failed_jobs", now.failed_jobs},
           {"waits", why_it_waits(now)},
           {"models", now.models_text}};
  if (now.seconds_left) out["seconds_left"] = *now.seconds_left;
  if (now.models) {
    out["cost_usd"] = dollars_of(now.models->spent.cost);
    if (now.models->limit.cost > 0)
      out["cost_max_usd"] = dollars_of(now.models->limit.cost);
  }
  if (!now.pool) return out;
  out["queued"] = queued_of(*now.pool, now.run);
  out["running"] = running_of(*now.pool, now.run);
  out["slots"] = now.pool->counts.slots;
  out["slots_busy"] = now.pool->counts.busy;
  out["workers_total"] = now.pool->workers.size();
  out["workers"] = workers_json(*now.pool);
  return out;
}

} // namespace brewery
