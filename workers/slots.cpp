#include "workers/slots.hpp"

#include "messages/wire/frame.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

slot_outcome outcome_of(const slot_task& task, job_control& control) {
  slot_outcome out{task.search, task.work.id, {}, {}};
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

slots::slots(std::uint32_t count, std::function<void(slot_outcome)> on_done)
    : on_done_(std::move(on_done)) {
  for (std::uint32_t i = 0; i < count; ++i)
    threads_.emplace_back([this] { run(); });
}

slots::~slots() {
  {
    const std::lock_guard lock{mutex_};
    done_ = true;
    for (auto& [job, control] : controls_)
      control->cancelled = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_)
    thread.join();
}

void slots::begin(slot_task task) {
  const std::lock_guard lock{mutex_};
  auto control = std::make_shared<job_control>();
  controls_[{task.search, task.work.id}] = control;
  waiting_.emplace_back(std::move(task), std::move(control));
  changed_.notify_one();
}

void slots::cancel(const search_id& search, const job_id& job) {
  const std::lock_guard lock{mutex_};
  const auto it = controls_.find({search, job});
  if (it == controls_.end()) return;
  it->second->cancelled = true;
  controls_.erase(it);
}

std::map<slots::job_key, std::uint64_t> slots::progress() const {
  const std::lock_guard lock{mutex_};
  std::map<job_key, std::uint64_t> out;
  for (const auto& [job, control] : controls_)
    out.emplace(job, control->steps);
  return out;
}

void slots::run() {
  for (;;) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return done_ || !waiting_.empty(); });
    if (done_) return;
    const auto [task, control] = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    if (control->cancelled) continue;
    try {
      auto outcome = outcome_of(task, *control);
      if (control->cancelled) continue;
      {
        const std::lock_guard again{mutex_};
        const auto it = controls_.find({task.search, task.work.id});
        if (it != controls_.end() && it->second == control) controls_.erase(it);
      }
      on_done_(std::move(outcome));
    } catch (const job_cancelled&) {
      // Nobody waits for it.
    }
  }
}

} // namespace brewery
