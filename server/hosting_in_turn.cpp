/// When runs come onto the runtime: at the start of a coordinator those that
/// are not finished, of a group as many as it may play at once.

#include "run/setup/disk_patience.hpp"
#include "server/managed_run.hpp"
#include "store/run_status.hpp"
#include "sweep/rung_reward.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>

namespace brewery {

result<void> coordinator_service::resume_runs() {
  const auto found = run_directory::list(options_.runs_dir);
  if (!found) return found.error();
  // What a group shares needs the logs of all its runs.
  std::vector<run_directory> unfinished;
  for (const auto& directory : *found) {
    const auto about = read_submission(directory);
    if (!about && about.error().code != ec::not_found)
      note_unreadable(directory, about.error());
    if (!about) continue;
    if (!about->order.empty()) submitted_[about->order] = directory.id();
    const bool finished = is_finished(directory);
    const auto status = read_run_status(directory.path());
    const bool spent = status && status->spent;
    groups_->add(*about, directory,
                 finished           ? "finished"
                 : about->cancelled ? "cancelled"
                                    : "interrupted");
    if (about->cancelled || finished) continue;
    if (!spent)
      unfinished.push_back(directory);
    else if (about->group.empty())
      spdlog::warn("run_stays run={} its budget stopped it; `brewery submit "
                   "--resume {}` continues it",
                   directory.id(), directory.id());
    else
      spdlog::warn("run_stays run={} a budget stopped it; the command that "
                   "submitted group {} continues it",
                   directory.id(), about->group);
  }
  groups_->forget_other_counts();
  // Workers hold jobs of those that ran: a group that is full of others would
  // have them thrown away.
  std::ranges::stable_sort(unfinished, {}, [](const run_directory& directory) {
    const auto status = read_run_status(directory.path());
    if (!status) return 2;
    return status->state == run_state::running ? 0 : 1;
  });
  for (const auto& directory : unfinished) {
    const auto attempt = [&] {
      auto out = host_in_turn(directory);
      runtime_->metrics()->set_journal_stuck(
          {}, !out && out.error().code == ec::disk_full);
      return out;
    };
    if (auto ok = with_space(attempt, options_.stopped); ok) {
      ++resumed_;
    } else {
      set_unreadable(directory, ok.error());
    }
  }
  for (auto& [id, run] : runs_)
    run->wait_until_open();
  return {};
}

void coordinator_service::note_unreadable(const run_directory& directory,
                                          const error& why) {
  spdlog::error("run_unreadable run={} cannot be resumed: {}", directory.id(),
                why.message);
  const std::lock_guard guard{mutex_};
  unreadable_[directory.id()] = why.message;
  runtime_->metrics()->set_runs_unreadable(unreadable_.size());
}

/// Else it would count as one that waits for its turn.
void coordinator_service::set_unreadable(const run_directory& directory,
                                         const error& why) {
  note_unreadable(directory, why);
  const auto about = read_submission(directory);
  if (about && groups_->has(about->group, directory.id()))
    groups_->set_state(about->group, directory.id(), "unreadable");
}

void coordinator_service::note_readable(const std::string& run) {
  const std::lock_guard guard{mutex_};
  unreadable_.erase(run);
  runtime_->metrics()->set_runs_unreadable(unreadable_.size());
}

std::map<std::string, std::string> coordinator_service::unreadable() const {
  const std::lock_guard guard{mutex_};
  return unreadable_;
}

job_share_actor coordinator_service::share_of(const std::string& group) {
  std::set<std::string> under_way{group};
  for (const auto& [id, run] : runs_)
    if (run->running()) under_way.insert(run->group());
  groups_->keep_only(under_way);
  return groups_->share_of(group);
}

bool coordinator_service::is_full(const std::string& group) const {
  const auto most = groups_->at_once(group);
  if (most == 0) return false;
  std::uint32_t under_way = 0;
  for (const auto& [id, run] : runs_)
    under_way += run->group() == group && run->running();
  return under_way >= most;
}

std::string
coordinator_service::group_that_queues(const std::string& run) const {
  if (runs_.contains(run)) return {};
  for (const auto& [group, members] : groups_->all())
    if (const auto found = members.find(run);
        found != members.end() && found->second == "queued")
      return group;
  return {};
}

std::string
coordinator_service::group_that_holds(const std::string& run) const {
  if (const auto it = runs_.find(run); it != runs_.end())
    return it->second->state() == "held" ? it->second->group() : "";
  for (const auto& [group, members] : groups_->all())
    if (const auto found = members.find(run);
        found != members.end() && found->second == "held")
      return group;
  return {};
}

result<void> coordinator_service::host_in_turn(const run_directory& directory,
                                               std::optional<problem> what) {
  const auto about = read_submission(directory);
  if (!about) return about.error();
  if (is_held(directory, *about)) {
    groups_->add(*about, directory, "held");
    return {};
  }
  groups_->add(*about, directory, "queued");
  if (about->group.empty()) return host(directory, std::move(what));
  // Its runs would begin calls before they are told.
  if (groups_->budget(about->group).over_cost()) {
    groups_->set_state(about->group, directory.id(), "interrupted");
    return {};
  }
  if (is_full(about->group)) return {};
  return host(directory, std::move(what));
}

bool coordinator_service::is_held(const run_directory& directory,
                                  const submission& about) const {
  if (about.group.empty() || !about.hold_after) return false;
  // One that was killed at its barrier plays on to say what it came to.
  const auto status = read_run_status(directory.path());
  if (!status || status->state == run_state::running) return false;
  const auto options = options_of(directory);
  return options && !options->search.strategies.empty()
         && reward_at(directory.path(), options->search.strategies.front(),
                      *about.hold_after);
}

namespace {

/// So that the next start, whose hours begin anew, does not begin it either.
void note_stopped(const std::filesystem::path& run, const error& why) {
  const auto now = std::chrono::system_clock::now();
  const auto status = run_status_file::begin_session(run, now);
  const auto stored =
      status ? (*status)->end_session(now,
                                      [&](run_status& ended) {
                                        ended.state = run_state::interrupted;
                                        ended.reason = why.message;
                                        ended.spent = true;
                                      })
             : status.error();
  if (!stored) spdlog::warn("{}", stored.error().message);
}

} // namespace

void coordinator_service::host_queued() {
  for (const auto& [group, members] : groups_->all())
    host_queued(group);
}

void coordinator_service::host_queued(const std::string& group) {
  const auto now = group_budget::clock::now();
  for (const auto& [id, state] : groups_->all().at(group)) {
    if (state != "queued" || runs_.contains(id)) continue;
    if (is_full(group)) return;
    if (const auto over = groups_->budget(group).over(now)) {
      note_stopped(options_.runs_dir / id, *over);
      groups_->set_state(group, id, "interrupted");
      continue;
    }
    const auto directory = run_directory::open(options_.runs_dir, id);
    const auto hosted = directory ? host(*directory) : directory.error();
    if (hosted) {
      lacks_space_ = false;
      continue;
    }
    if (hosted.error().code == ec::disk_full)
      return wait_for_space(id, hosted.error());
    groups_->set_state(group, id, "unreadable");
    if (directory) note_unreadable(*directory, hosted.error());
  }
}

/// There may be some later.
void coordinator_service::wait_for_space(const std::string& run,
                                         const error& why) {
  constexpr std::chrono::seconds patience{1};
  if (!std::exchange(lacks_space_, true))
    spdlog::warn("run_waits run={} for disk space: {}", run, why.message);
  const std::lock_guard guard{mutex_};
  host_again_at_ = std::chrono::steady_clock::now() + patience;
}

} // namespace brewery
