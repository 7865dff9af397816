#include "sweep/run_table.hpp"

namespace brewery {

void run_table::set_runner(const run_id& run,
                           std::shared_ptr<const job_runner> runner) {
  const std::lock_guard lock{mutex_};
  if (runner)
    runners_[run] = std::move(runner);
  else
    runners_.erase(run);
}

std::shared_ptr<const job_runner> run_table::runner(const run_id& run) const {
  const std::lock_guard lock{mutex_};
  const auto found = runners_.find(run);
  return found == runners_.end() ? nullptr : found->second;
}

void run_table::set_executor(const run_id& run, run_executor* executor,
                             const run_models& models) {
  const std::lock_guard lock{mutex_};
  if (!executor) {
    open_.erase(run);
    return;
  }
  open_[run] = {executor, models};
  if (stopped_) stop(open_[run]);
}

void run_table::stop_all() {
  const std::lock_guard lock{mutex_};
  stopped_ = true;
  for (const auto& [id, run] : open_)
    stop(run);
}

/// With the lock held.
void run_table::stop(const open_run& run) const {
  run.executor->stop();
  if (run.models.broker)
    run.models.broker->stop({ec::cancelled, "the sweep stops"});
}

bool run_table::stopped() const {
  const std::lock_guard lock{mutex_};
  return stopped_;
}

std::map<std::string, run_table::amounts> run_table::under_way() const {
  const std::lock_guard lock{mutex_};
  std::map<std::string, amounts> out;
  for (const auto& [id, run] : open_)
    out[id.value] = {run.executor->rollouts_shown(), spent_usd(run.models)};
  return out;
}

} // namespace brewery
