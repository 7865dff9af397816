#include "workers/slots.hpp"

#include "messages/wire/frame.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <set>
#include <tuple>

namespace brewery {

namespace {

slot_outcome outcome_of(const slot_task& task, job_control& control) {
  slot_outcome out{task.run, task.work.id, {}, {}};
  try {
    auto answer = task.runner->run(task.work, &control);
    if (!answer) {
      out.error = to_string(answer.error());
      return out;
    }
    out.result = wire::encode(*answer);
    constexpr std::size_t room_for_key = 4096;
    if (out.result.size() + room_for_key > wire::max_frame_bytes) {
      out.error = fmt::format("its result has {} bytes, more than the {} a "
                              "message may have",
                              out.result.size(), wire::max_frame_bytes);
      out.result.clear();
    }
  } catch (const job_cancelled&) {
    throw;
  } catch (const std::exception& failure) {
    out.error = fmt::format("it threw: {}", failure.what());
  }
  return out;
}

} // namespace

struct slots::state {
  std::function<void(slot_outcome)> on_done; ///< guarded by `calls`
  std::mutex calls;                          ///< taken before `mutex`
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::pair<slot_task, std::shared_ptr<job_control>>> waiting;
  std::map<job_key, std::shared_ptr<job_control>> controls;
  std::set<const job_control*> running;
  std::set<const job_control*> replaced; ///< threads that end after their job
  std::size_t threads = 0;
  bool done = false;

  static void add_thread(const std::shared_ptr<state>& self);
  bool next(slot_task& task, std::shared_ptr<job_control>& control);
  void finish(const slot_task& task,
              const std::shared_ptr<job_control>& control,
              slot_outcome outcome);
  void run();
};

/// Call with `mutex` held. Detached, because a thread that hangs cannot be
/// joined.
void slots::state::add_thread(const std::shared_ptr<state>& self) {
  ++self->threads;
  std::thread{[self] {
    self->run();
    const std::lock_guard lock{self->mutex};
    --self->threads;
    self->changed.notify_all();
  }}.detach();
}

bool slots::state::next(slot_task& task,
                        std::shared_ptr<job_control>& control) {
  std::unique_lock lock{mutex};
  running.erase(control.get());
  if (replaced.erase(control.get()) > 0) return false;
  changed.wait(lock, [this] { return done || !waiting.empty(); });
  if (done) return false;
  std::tie(task, control) = std::move(waiting.front());
  waiting.pop_front();
  running.insert(control.get());
  return true;
}

void slots::state::finish(const slot_task& task,
                          const std::shared_ptr<job_control>& control,
                          slot_outcome outcome) {
  const std::lock_guard call{calls};
  {
    const std::lock_guard lock{mutex};
    if (done || control->cancelled) return;
    const auto it = controls.find({task.run, task.work.id});
    if (it != controls.end() && it->second == control) controls.erase(it);
  }
  on_done(std::move(outcome));
}

void slots::state::run() {
  slot_task task;
  std::shared_ptr<job_control> control;
  while (next(task, control)) {
    if (control->cancelled) continue;
    try {
      finish(task, control, outcome_of(task, *control));
    } catch (const job_cancelled&) {
      // No caller waits for it.
    }
  }
}

slots::slots(std::uint32_t count, std::function<void(slot_outcome)> on_done)
    : state_(std::make_shared<state>()) {
  state_->on_done = std::move(on_done);
  const std::lock_guard lock{state_->mutex};
  for (std::uint32_t i = 0; i < count; ++i)
    state::add_thread(state_);
}

slots::~slots() {
  constexpr std::chrono::seconds patience{1};
  std::unique_lock no_more_calls{state_->calls};
  std::unique_lock lock{state_->mutex};
  state_->done = true;
  no_more_calls.unlock();
  for (auto& [job, control] : state_->controls)
    control->cancelled = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, patience,
                           [this] { return state_->threads == 0; });
}

void slots::begin(slot_task task) {
  const std::lock_guard lock{state_->mutex};
  auto control = std::make_shared<job_control>();
  state_->controls[{task.run, task.work.id}] = control;
  state_->waiting.emplace_back(std::move(task), std::move(control));
  state_->changed.notify_one();
}

void slots::cancel(const run_id& run, const job_id& job) {
  const std::lock_guard lock{state_->mutex};
  const auto it = state_->controls.find({run, job});
  if (it == state_->controls.end()) return;
  it->second->cancelled = true;
  if (state_->running.contains(it->second.get())) {
    state_->replaced.insert(it->second.get());
    state::add_thread(state_);
  }
  state_->controls.erase(it);
}

std::map<slots::job_key, std::uint64_t> slots::progress() const {
  const std::lock_guard lock{state_->mutex};
  std::map<job_key, std::uint64_t> out;
  for (const auto& [job, control] : state_->controls)
    out.emplace(job, control->steps);
  return out;
}

} // namespace brewery
