#include "run/run_watch.hpp"

#include "run/live/live_file.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace brewery {

namespace {

using span = std::chrono::duration<double>;

/// What is shown of a run is that old at most. Two syncs of a disk each time,
/// next to those of the log for every few results.
constexpr span between_notes{2};

std::optional<double> cost_of(const run_models& models) {
  if (!models.broker) return std::nullopt;
  return spent_usd(models);
}

} // namespace

run_watch::run_watch(run_executor& machine, const run_models& models,
                     double max_hours, asks_others others,
                     std::filesystem::path directory)
    : machine_(machine), models_(models), max_hours_(max_hours),
      directory_(std::move(directory)), others_(std::move(others)) {
  if (models_.broker) models_.broker->when_halted([this] { machine_.stop(); });
  report_spending(models_, machine_.metrics());
  thread_ = std::thread{[this] { watch(); }};
}

run_watch::~run_watch() {
  if (models_.broker) models_.broker->when_halted({});
  {
    const std::lock_guard lock{mutex_};
    over_ = true;
  }
  ended_.notify_all();
  thread_.join();
  if (!directory_.empty()) remove_live(directory_);
  machine_.note_progress(cost_of(models_));
}

std::optional<error> run_watch::why() const {
  if (models_.broker)
    if (auto halted = models_.broker->halted()) return halted;
  const std::lock_guard lock{mutex_};
  return why_;
}

/// With the lock held. The first reason counts.
void run_watch::stop_because(error why) {
  if (why_) return;
  why_ = why;
  spdlog::info("run_stops run={} reason=\"{}\" rollouts under way end first",
               machine_.id().value, why.message);
  machine_.stop();
  // Attempts that wait for a model would play to their end, and pay for it.
  if (models_.broker) models_.broker->stop(std::move(why));
}

void run_watch::show_live() {
  if (directory_.empty()) return;
  const auto now = std::chrono::steady_clock::now();
  const auto pool = machine_.pool();
  live_state state;
  state.run = machine_.id();
  state.view = machine_.board().view();
  state.pool = pool ? &*pool : nullptr;
  if (models_.broker) state.models = models_.broker->view();
  state.models_text = models_text(models_);
  state.rollouts = machine_.rollouts_shown();
  state.failed_jobs = machine_.failed().size();
  left_.observe(state.view, span{now - begun_}.count());
  state.seconds_left = left_.seconds();
  state.rollouts_per_second = left_.rate();
  write_live(directory_, live_json(state, now),
             std::chrono::system_clock::now());
}

void run_watch::watch() {
  show_live();
  const auto left = [this] {
    const span limit =
        std::chrono::duration<double, std::ratio<3600>>{max_hours_};
    return limit - span{std::chrono::steady_clock::now() - begun_};
  };
  std::unique_lock lock{mutex_};
  bool timed = max_hours_ > 0;
  for (;;) {
    const auto wait =
        timed ? std::clamp(left(), span{0}, between_notes) : between_notes;
    if (ended_.wait_for(lock, wait, [this] { return over_; })) return;
    if (timed && left() <= span{0}) {
      timed = false;
      stop_because(
          {ec::over_budget,
           fmt::format("budget.max_hours = {} is used up", max_hours_)});
    }
    lock.unlock(); // the disk may be slow
    const auto cost_usd = cost_of(models_);
    machine_.note_progress(cost_usd);
    report_spending(models_, machine_.metrics());
    show_live();
    auto over = others_ ? others_(cost_usd.value_or(0)) : std::nullopt;
    lock.lock();
    if (over) stop_because(std::move(*over));
  }
}

} // namespace brewery
