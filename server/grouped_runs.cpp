#include "server/grouped_runs.hpp"

#include "sweep/shared_logs.hpp"

namespace brewery {

grouped_runs::~grouped_runs() {
  keep_only({});
}

void grouped_runs::add(const std::string& group, const std::string& run,
                       std::string state_before) {
  if (!group.empty()) members_[group][run] = std::move(state_before);
}

job_share_actor grouped_runs::share_of(const std::string& group) {
  if (group.empty()) return {};
  auto& share = shares_[group];
  if (share) return share;
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

void grouped_runs::keep_only(const std::set<std::string>& under_way) {
  caf::scoped_actor self{on_.system()};
  std::erase_if(shares_, [&](const auto& named) {
    const auto& [group, share] = named;
    if (under_way.contains(group)) return false;
    self->send_exit(share, caf::exit_reason::user_shutdown);
    self->wait_for(share);
    return true;
  });
}

} // namespace brewery
