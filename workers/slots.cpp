#include "workers/slots.hpp"

#include "base/compression.hpp"
#include "messages/wire/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace brewery {

namespace {

using clock = std::chrono::steady_clock;

slot_outcome outcome_of(const slot_task& task, job_control& control) {
  slot_outcome out{task.run, task.work.id, {}, {}, {}};
  try {
    auto answer = task.runner->run(task.work, &control);
    if (!answer) {
      out.error = to_string(answer.error());
      return out;
    }
    auto bytes = wire::encode(*answer);
    constexpr std::size_t room_for_key = 4096;
    if (bytes.size() + room_for_key > wire::max_frame_bytes)
      out.error = fmt::format("its result has {} bytes, more than the {} a "
                              "message may have",
                              bytes.size(), wire::max_frame_bytes);
    else
      out.result = compress_to_send(std::move(bytes));
  } catch (const job_cancelled&) {
    throw;
  } catch (const std::exception& failure) {
    out.error = fmt::format("it threw: {}", failure.what());
  }
  return out;
}

} // namespace

struct slots::state {
  std::function<void()> on_done; ///< guarded by `calls`
  std::chrono::microseconds short_below{0};
  std::chrono::milliseconds waits_for{0};
  std::mutex calls; ///< taken before `mutex`
  std::mutex mutex; ///< guards what follows
  std::condition_variable changed;
  struct waiting_job {
    slot_task task;
    std::shared_ptr<job_control> control;
    clock::time_point since;
  };
  std::deque<waiting_job> waiting;
  std::map<job_key, std::shared_ptr<job_control>> controls;
  std::set<const job_control*> running;
  std::set<const job_control*> replaced; ///< threads that end after their job
  std::size_t count = 0;                 ///< of slots
  std::size_t threads = 0;               ///< with those that are replaced
  std::size_t asleep = 0;                ///< of the threads
  std::size_t called = 0;                ///< of those, on their way
  std::vector<slot_outcome> outcomes;
  bool is_told = false;       ///< the owner, of outcomes
  bool looks_soon = false;    ///< the owner; see `start`
  clock::time_point look_at;  ///< it then knows whether a job is long
  std::size_t short_jobs = 0; ///< above 0: jobs are short lately
  bool done = false;

  static void add_thread(const std::shared_ptr<state>& self);
  bool next(slot_task& task, std::shared_ptr<job_control>& control);
  void finish(const slot_task& task,
              const std::shared_ptr<job_control>& control,
              slot_outcome outcome);
  std::size_t call_threads(clock::time_point now);
  void give_back(clock::time_point now);
  bool must_tell();
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
  while (!done && waiting.empty()) {
    ++asleep;
    changed.wait(lock);
    --asleep;
    if (called > 0) --called;
  }
  if (done) return false;
  task = std::move(waiting.front().task);
  control = std::move(waiting.front().control);
  waiting.pop_front();
  running.insert(control.get());
  return true;
}

void slots::state::finish(const slot_task& task,
                          const std::shared_ptr<job_control>& control,
                          slot_outcome outcome) {
  constexpr std::size_t remembered = 4;
  const std::lock_guard call{calls};
  {
    const std::lock_guard lock{mutex};
    if (outcome.played < short_below)
      short_jobs = remembered;
    else if (short_jobs > 0)
      --short_jobs;
    if (done || control->cancelled) return;
    const auto it = controls.find({task.run, task.work.id});
    if (it != controls.end() && it->second == control) controls.erase(it);
    outcomes.push_back(std::move(outcome));
    if (!must_tell()) return;
  }
  on_done();
}

/// Not while this thread goes on with a short job and the owner looks soon, nor
/// while each slot has a job to go on with: more can come before it is idle.
bool slots::state::must_tell() {
  if (is_told || outcomes.empty()) return false;
  if (waiting.size() > count) return false;
  if (looks_soon && short_jobs > 0 && !waiting.empty()) return false;
  return is_told = true;
}

/// Returns how many to call now. Sets `looks_soon`.
std::size_t slots::state::call_threads(clock::time_point now) {
  if (looks_soon && !waiting.empty()) {
    if (called > 0)
      look_at = std::max(look_at, now + soon); // it has yet to come
    if (now < look_at) return 0;
    short_jobs = 0; // whoever came has a long one
  }
  looks_soon = short_jobs > 0 && waiting.size() > 1;
  if (looks_soon) look_at = now + soon;
  const auto wanted =
      std::min(looks_soon ? std::size_t{1} : waiting.size(), asleep);
  const auto more = wanted > called ? wanted - called : 0;
  called += more;
  return more;
}

/// Of equal patience, so the first has waited longest.
void slots::state::give_back(clock::time_point now) {
  for (; !waiting.empty() && now - waiting.front().since > waits_for;
       waiting.pop_front()) {
    const auto& [task, control, since] = waiting.front();
    if (control->cancelled) continue;
    controls.erase({task.run, task.work.id});
    outcomes.push_back(
        {task.run, task.work.id, {}, to_string(worker_session::no_slot()), {}});
  }
}

void slots::state::run() {
  slot_task task;
  std::shared_ptr<job_control> control;
  while (next(task, control)) {
    if (control->cancelled) continue;
    try {
      const auto began = clock::now();
      auto outcome = outcome_of(task, *control);
      outcome.played =
          std::chrono::ceil<std::chrono::microseconds>(clock::now() - began);
      finish(task, control, std::move(outcome));
    } catch (const job_cancelled&) {
      // No caller waits for it.
    }
  }
}

slots::slots(std::uint32_t count, std::function<void()> on_done,
             std::chrono::microseconds short_below,
             std::chrono::milliseconds waits_for)
    : state_(std::make_shared<state>()) {
  state_->on_done = std::move(on_done);
  state_->short_below = short_below;
  state_->waits_for = waits_for;
  state_->count = count;
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

void slots::add(slot_task task) {
  auto control = std::make_shared<job_control>();
  control->run = task.run;
  const std::lock_guard lock{state_->mutex};
  state_->controls[{task.run, task.work.id}] = control;
  state_->waiting.push_back(
      {std::move(task), std::move(control), clock::now()});
}

std::optional<std::chrono::milliseconds> slots::start() {
  std::size_t calls = 0;
  std::optional<std::chrono::milliseconds> look_within;
  bool tells = false;
  {
    const std::lock_guard lock{state_->mutex};
    calls = state_->call_threads(clock::now());
    if (!state_->waiting.empty())
      look_within = state_->looks_soon ? soon : hold_for;
    tells = state_->must_tell(); // of what ended while it would look soon
  }
  // After the lock: a thread that wakes would wait for it at once.
  for (; calls > 0; --calls)
    state_->changed.notify_one();
  if (tells) state_->on_done();
  return look_within;
}

std::vector<slot_outcome> slots::take() {
  const std::lock_guard lock{state_->mutex};
  state_->is_told = false;
  state_->give_back(clock::now());
  return std::exchange(state_->outcomes, {});
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
