#include "run/run_watch.hpp"

#include <fmt/format.h>

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
                     double max_hours, asks_others others)
    : machine_(machine), models_(models), max_hours_(max_hours),
      others_(std::move(others)) {
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
  why_ = std::move(why);
  machine_.stop();
}

void run_watch::watch() {
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
    auto over = others_ ? others_(cost_usd.value_or(0)) : std::nullopt;
    lock.lock();
    if (over) stop_because(std::move(*over));
  }
}

} // namespace brewery
