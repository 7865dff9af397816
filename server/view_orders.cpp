/// The orders that only look: runs, workers and jobs that were given up; and
/// how an order finds its run.

#include "base/text.hpp"
#include "server/coordinator_service.hpp"
#include "server/managed_run.hpp"
#include "server/order_words.hpp"
#include "store/run_status.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery {

namespace {

/// A run that is not in hand. What it came to is in its status.
nlohmann::ordered_json unreadable_json(const std::filesystem::path& run,
                                       const std::string& why) {
  const auto noted = read_run_status(run);
  nlohmann::ordered_json out{{"id", run.filename().string()},
                             {"state", "unreadable"},
                             {"search", ""},
                             {"phase", ""},
                             {"iteration", 0},
                             {"iterations", 0},
                             {"trees", 0},
                             {"trees_reported", 0},
                             {"jobs", 0},
                             {"jobs_done", 0},
                             {"jobs_from_log", 0},
                             {"rollouts", noted ? noted->rollouts : 0}};
  if (noted && noted->cost_usd > 0) out["cost_usd"] = noted->cost_usd;
  out["error"] = why;
  return out;
}

} // namespace

bool coordinator_service::is_only_stored(const std::string& id) const {
  if (runs_.contains(id) || unreadable().contains(id)) return false;
  const auto directory = run_directory::open(options_.runs_dir, id);
  return directory && read_submission(*directory);
}

result<coordinator_service::managed_run*>
coordinator_service::find(const arguments& words) {
  const auto id = word(words, "id");
  const auto it = runs_.find(id);
  if (it != runs_.end()) return it->second.get();
  const auto damaged = unreadable();
  if (const auto why = damaged.find(id); why != damaged.end())
    return error{
        ec::corrupt,
        fmt::format("run {} cannot be read: {}; mend it, then `brewery "
                    "submit --resume {}`",
                    id, why->second, id)};
  if (const auto group = group_that_queues(id); !group.empty())
    return is_queued(id, group);
  if (is_only_stored(id))
    return error{ec::not_found,
                 fmt::format("run {0} ended before this start of the "
                             "coordinator: `brewery submit --resume {0}` takes "
                             "it up again, then give this order",
                             id)};
  std::vector<std::string> names;
  for (const auto& [name, run] : runs_)
    names.push_back(name);
  return error{ec::not_found,
               fmt::format("this coordinator has no run {}{}", json_quoted(id),
                           suggest_choice(id, names))};
}

nlohmann::ordered_json coordinator_service::status() const {
  nlohmann::ordered_json out;
  out["version"] = BREWERY_VERSION;
  out["epoch"] = epoch_;
  if (const auto now = runtime_->status()) {
    const auto& counts = now->counts;
    out["workers"] = now->workers.size();
    out["slots"] = counts.slots;
    out["jobs"] = {{"queued", counts.queued},
                   {"running", counts.leased},
                   {"unwritten", counts.delivered},
                   {"quarantined", counts.quarantined}};
    out["leases_expired"] = counts.expired;
    out["results_stale"] = counts.stale;
    out["jobs_adopted"] = counts.adopted;
    out["backups"] = {{"won", counts.backups_won},
                      {"lost", counts.backups_lost}};
    auto loads = nlohmann::ordered_json::array();
    for (const auto& load : now->loads)
      loads.push_back({{"run", load.run.value},
                       {"role", to_string(load.kind)},
                       {"benchmark", load.benchmark},
                       {"queued", load.queued},
                       {"running", load.running},
                       {"done", load.done}});
    out["loads"] = std::move(loads);
    out["waiting"] = now->waiting;
  }
  auto runs = nlohmann::ordered_json::array();
  auto damaged = unreadable();
  for (const auto& [id, run] : runs_) {
    runs.push_back(run->as_json());
    if (damaged.erase(id) > 0) runs.back()["state"] = "unreadable";
  }
  for (const auto& [id, why] : damaged)
    runs.push_back(unreadable_json(options_.runs_dir / id, why));
  out["runs"] = std::move(runs);
  out["groups"] = groups();
  return out;
}

void coordinator_service::count_runs() const {
  std::map<std::string, std::size_t> out;
  auto damaged = unreadable();
  for (const auto& [id, run] : runs_) {
    const auto state = run->state();
    // One that stops still runs.
    ++out[damaged.erase(id) > 0 ? "unreadable"
          : state == "stopping" ? "running"
                                : state];
  }
  for (const auto& [group, members] : groups_->all())
    for (const auto& [id, before] : members)
      if (!runs_.contains(id) && !damaged.contains(id)) ++out[before];
  out["unreadable"] += damaged.size();
  runtime_->metrics()->set_runs(out);
}

nlohmann::ordered_json coordinator_service::workers() const {
  auto out = nlohmann::ordered_json::array();
  const auto now = runtime_->status();
  if (!now) return out;
  for (const auto& worker : now->workers) {
    std::set<std::string> roles;
    for (const auto role : worker.spec.kinds)
      roles.emplace(to_string(role));
    out.push_back({{"name", worker.spec.name},
                   {"host", worker.spec.host},
                   {"incarnation", worker.spec.incarnation},
                   {"state", worker.draining    ? "draining"
                             : worker.suspended ? "suspended"
                             : worker.busy > 0  ? "busy"
                                                : "idle"},
                   {"slots", worker.spec.slots},
                   {"busy", worker.busy},
                   {"leases", worker.leases},
                   {"done", worker.done},
                   {"failed", worker.failed},
                   {"roles", roles},
                   {"benchmarks", worker.spec.benchmarks},
                   {"tags", worker.spec.tags},
                   {"last_error", worker.last_error}});
  }
  return out;
}

result<nlohmann::ordered_json>
coordinator_service::quarantine(const arguments& words) {
  const auto only = word(words, "id");
  if (!only.empty())
    if (const auto known = find(words); !known) return known.error();
  auto out = nlohmann::ordered_json::array();
  for (const auto& [id, run] : runs_) {
    if (!only.empty() && id != only) continue;
    for (const auto& [job, reason] : run->failed())
      out.push_back({{"run", id}, {"job", job.value}, {"reason", reason}});
  }
  return out;
}

} // namespace brewery
