#include "server/managed_run.hpp"

#include "base/file.hpp"
#include "messages/json.hpp"
#include "run/guarded.hpp"

#include <spdlog/spdlog.h>

namespace brewery {

bool is_finished(const run_directory& run) {
  std::error_code ignored;
  if (!std::filesystem::exists(run.report(), ignored)) return false;
  const auto status = read_run_status(run.path());
  return !status || status->state != run_state::running;
}

coordinator_service::managed_run::managed_run(cluster_runtime& on,
                                              std::string group,
                                              run_inputs inputs, problem what,
                                              managed_run_events events)
    : directory_(inputs.directory), group_(std::move(group)),
      share_(inputs.share), is_to_be_held_(inputs.hold_after.has_value()) {
  if (const auto before = read_run_status(directory_.path()))
    rollouts_ = before->rollouts;
  inputs.cancelled = [this] {
    const std::lock_guard guard{mutex_};
    return cancelled_;
  };
  inputs.abandoned = [this, stopped = inputs.abandoned] {
    const std::lock_guard guard{mutex_};
    return abandoned_ || (stopped && stopped());
  };
  thread_ =
      std::thread{[this, &on, in = std::move(inputs), about = std::move(what),
                   told = std::move(events)]() mutable {
        const auto on_executor = [this, &on](run_executor* now) {
          // Only this thread changes it. Who asks for the status must not wait
          // for the disk.
          if (executor_ && !now) executor_->note_progress({});
          const std::lock_guard guard{mutex_};
          if (executor_ && !now) {
            last_view_ = executor_->board().view();
            rollouts_ = executor_->rollouts_shown();
            failed_ = executor_->failed();
          }
          executor_ = now;
          opened_ = true;
          // It may have been set after the run was told to open.
          if (now) on.set_share({directory_.id()}, share_);
          if (now && abandoned_) now->abandon();
          changed_.notify_all();
        };
        auto summary = guarded([&] {
          return run_on_cluster(on, std::move(in), about, on_executor);
        });
        const auto status = read_run_status(directory_.path());
        if (!summary && summary.error().code == ec::corrupt)
          told.on_unreadable(summary.error());
        std::unique_lock guard{mutex_};
        held_ = is_to_be_held_ && !abandoned_ && !summary
                && summary.error().code == ec::cancelled;
        interrupted_ = !summary && may_go_on(summary.error()) && status
                       && status->state == run_state::interrupted;
        if (summary)
          arms_ = std::move(summary->arms);
        else
          failure_ = summary.error().message + advice(summary.error());
        if (summary)
          spdlog::info("run_finished run={} rollouts={}", directory_.id(),
                       summary->rollouts);
        else if (held_)
          spdlog::info("run_held run={} {}", directory_.id(), failure_);
        else if (!abandoned_)
          spdlog::error("run_{} run={} {}", interrupted_ ? "stopped" : "failed",
                        directory_.id(), failure_);
        opened_ = ended_ = true;
        changed_.notify_all();
        guard.unlock();
        told.on_end();
      }};
}

coordinator_service::managed_run::~managed_run() {
  abandon();
  if (thread_.joinable()) thread_.join();
}

void coordinator_service::managed_run::join_if_ended() {
  if (!running() && thread_.joinable()) thread_.join();
}

bool coordinator_service::managed_run::running() const {
  const std::lock_guard guard{mutex_};
  return !ended_;
}

std::string coordinator_service::managed_run::state() const {
  const std::lock_guard guard{mutex_};
  if (!ended_)
    return abandoned_ || (executor_ && executor_->stopped()) ? "stopping"
                                                             : "running";
  if (failure_.empty()) return "finished";
  if (abandoned_) return "cancelled";
  if (held_) return "held";
  return interrupted_ ? "interrupted" : "failed";
}

/// What to do about the error that ended it.
std::string coordinator_service::managed_run::advice(const error& why) const {
  const auto resume = "brewery submit --resume " + directory_.id();
  // What a group may spend is its sweep's to say.
  if (interrupted_ && why.code == ec::over_budget && group_.empty())
    return fmt::format("; `{}` continues it", larger_budget(why, resume));
  if (interrupted_) return go_on_advice(why, resume);
  return retry_advice(why, failed_.size(),
                      "brewery quarantine retry " + directory_.id());
}

failed_jobs coordinator_service::managed_run::failed() const {
  const std::lock_guard guard{mutex_};
  return executor_ ? executor_->failed() : failed_;
}

nlohmann::ordered_json coordinator_service::managed_run::as_json() const {
  const auto now = state();
  const auto noted = read_run_status(directory_.path());
  const std::lock_guard guard{mutex_};
  const auto view = executor_ ? executor_->board().view() : last_view_;
  nlohmann::ordered_json out{
      {"id", directory_.id()},
      {"state", now},
      {"weight", share_.weight},
      {"priority", share_.priority},
      {"search", view.search},
      {"phase", view.phase},
      {"iteration", view.iteration},
      {"iterations", view.iterations},
      {"trees", view.trees},
      {"trees_reported", view.trees_reported},
      {"jobs", view.jobs_submitted},
      {"jobs_done", view.jobs_answered},
      {"jobs_from_log", view.jobs_from_log},
      {"rollouts", executor_ ? executor_->rollouts_shown() : rollouts_}};
  if (noted && noted->cost_usd > 0) out["cost_usd"] = noted->cost_usd;
  if (!group_.empty()) out["group"] = group_;
  if (view.searches.size() > 1)
    out["searches"] = brewery::as_json(view.searches);
  if (view.reports_late > 0) out["late_reports"] = view.reports_late;
  if (now == "failed" || now == "interrupted") out["error"] = failure_;
  auto arms = nlohmann::ordered_json::array();
  for (const auto& arm : arms_)
    arms.push_back(arm_json(arm));
  if (!arms.empty()) out["evaluations"] = std::move(arms);
  return out;
}

void coordinator_service::managed_run::wait_until_open() {
  std::unique_lock guard{mutex_};
  changed_.wait(guard, [this] { return opened_; });
}

void coordinator_service::managed_run::abandon() {
  const std::lock_guard guard{mutex_};
  if (ended_) return;
  abandoned_ = true;
  if (executor_) executor_->abandon();
}

void coordinator_service::managed_run::set_share(run_share share) {
  const std::lock_guard guard{mutex_};
  share_ = share;
}

void coordinator_service::managed_run::cancel() {
  {
    const std::lock_guard guard{mutex_};
    cancelled_ = true;
  }
  abandon();
}

void coordinator_service::managed_run::cancel_ended() {
  const std::lock_guard guard{mutex_};
  // Which makes it a cancelled one.
  if (ended_ && !failure_.empty()) abandoned_ = true;
}

bool coordinator_service::managed_run::ends_until(
    std::chrono::steady_clock::time_point until) {
  std::unique_lock guard{mutex_};
  return changed_.wait_until(guard, until, [this] { return ended_; });
}

} // namespace brewery
