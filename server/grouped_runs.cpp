#include "server/grouped_runs.hpp"

#include "base/file.hpp"
#include "base/json.hpp"
#include "store/run_status.hpp"
#include "sweep/shared_logs.hpp"

#include <algorithm>

namespace brewery {

namespace {

std::filesystem::path shared_file(const std::filesystem::path& runs_dir) {
  return runs_dir / ".coordinator" / "shared.json";
}

} // namespace

/// Nothing depends on the counts but what is shown: damaged ones begin at 0.
grouped_runs::grouped_runs(cluster_runtime& on, std::filesystem::path runs_dir)
    : on_(on), runs_dir_(std::move(runs_dir)) {
  const auto text = read_plain_file(shared_file(runs_dir_));
  if (!text) return;
  const auto counts = json::parse(*text, nullptr, false);
  if (!counts.is_object()) return;
  for (const auto& [group, count] : counts.items())
    if (count.is_number_unsigned()) {
      stored_[group] = count.get<std::uint64_t>();
      shared_[group] =
          std::make_shared<std::atomic<std::uint64_t>>(stored_[group]);
    }
}

grouped_runs::~grouped_runs() {
  keep_only({});
  store_shared();
}

void grouped_runs::add(const submission& about, const run_directory& run,
                       std::string state_before) {
  if (about.group.empty()) return;
  members_[about.group][run.id()] = std::move(state_before);
  auto& budget = budgets_[about.group];
  if (!budget) budget = std::make_unique<group_budget>(about.group);
  budget->set_limit({about.group_max_cost_usd, about.group_max_hours});
  at_once_[about.group] = about.group_at_once;
  if (about.group_point) points_[run.id()] = *about.group_point;
  if (const auto status = read_run_status(run.path()))
    budget->note(run.id(), status->cost_usd, group_budget::clock::now());
}

void grouped_runs::remove(const std::string& group, const std::string& run) {
  const auto found = members_.find(group);
  if (found == members_.end()) return;
  found->second.erase(run);
  points_.erase(run);
  if (!found->second.empty()) return;
  members_.erase(found);
  budgets_.erase(group);
  at_once_.erase(group);
}

bool grouped_runs::has(const std::string& group, const std::string& run) const {
  const auto found = members_.find(group);
  return found != members_.end() && found->second.contains(run);
}

std::vector<std::string>
grouped_runs::in_order(const std::string& group) const {
  std::vector<std::string> out;
  for (const auto& [run, state] : members_.at(group))
    out.push_back(run);
  std::ranges::stable_sort(out, {}, [this](const std::string& run) {
    const auto found = points_.find(run);
    return found == points_.end() ? UINT32_MAX : found->second;
  });
  return out;
}

void grouped_runs::set_state(const std::string& group, const std::string& run,
                             std::string state_before) {
  members_.at(group).at(run) = std::move(state_before);
}

std::uint32_t grouped_runs::at_once(const std::string& group) const {
  const auto found = at_once_.find(group);
  return found == at_once_.end() ? 0 : found->second;
}

job_share_actor grouped_runs::share_of(const std::string& group) {
  if (group.empty()) return {};
  auto& share = shares_[group];
  if (share) return share;
  budget(group).begin(
      group_budget::clock::now(),
      [metrics = on_.metrics(), group](double usd, double most) {
        metrics->set_group_cost(group, usd, most);
      });
  auto inputs = std::make_shared<job_share_inputs>();
  const auto logs = std::make_shared<shared_logs>(runs_dir_);
  for (const auto& [run, state] : members_[group])
    logs->add_known({run}, inputs->known);
  inputs->pool = on_.pool();
  inputs->read = [logs](const shared_place& place) {
    return logs->read(place);
  };
  auto& count = shared_[group];
  if (!count) count = std::make_shared<std::atomic<std::uint64_t>>(0);
  inputs->on_shared = [count](const job_result& result) {
    if (std::holds_alternative<rollout_result>(result.output)) ++*count;
  };
  share = on_.system().spawn<caf::detached>(job_share, inputs);
  return share;
}

std::uint64_t grouped_runs::rollouts_shared(const std::string& group) const {
  const auto found = shared_.find(group);
  return found == shared_.end() ? 0 : found->second->load();
}

void grouped_runs::store_shared() {
  std::map<std::string, std::uint64_t> now;
  for (const auto& [group, count] : shared_)
    if (const auto shared = count->load(); shared > 0) now[group] = shared;
  if (now == stored_) return;
  // On a full disk it is tried again when it is asked for.
  if (write_file_atomically(shared_file(runs_dir_), json(now).dump() + '\n'))
    stored_ = std::move(now);
}

void grouped_runs::forget_other_counts() {
  std::erase_if(shared_, [this](const auto& one) {
    return !members_.contains(one.first);
  });
}

void grouped_runs::keep_only(const std::set<std::string>& under_way) {
  caf::scoped_actor self{on_.system()};
  std::erase_if(shares_, [&](const auto& named) {
    const auto& [group, share] = named;
    if (under_way.contains(group)) return false;
    self->send_exit(share, caf::exit_reason::user_shutdown);
    self->wait_for(share);
    if (const auto found = budgets_.find(group); found != budgets_.end())
      found->second->end();
    on_.metrics()->end_group(group);
    return true;
  });
}

} // namespace brewery
