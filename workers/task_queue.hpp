#pragma once
/// Which idle worker does which job: first come, first served. Owned by the
/// pool actor; a waiter is whatever the owner answers later. PURE.

#include "messages/job_msgs.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace brewery {

template <class Waiter>
class task_queue {
public:
  explicit task_queue(std::size_t workers) {
    for (std::size_t i = workers; i > 0; --i)
      idle_.push_back(i - 1);
  }

  struct assignment {
    std::size_t worker;
    job work;
    Waiter waiter;
  };

  void add(job work, Waiter waiter) {
    queue_.push_back({0, std::move(work), std::move(waiter)});
  }

  /// The next job for an idle worker, which is busy from now on.
  std::optional<assignment> next() {
    if (queue_.empty() || idle_.empty()) return std::nullopt;
    auto taken = std::move(queue_.front());
    queue_.pop_front();
    taken.worker = idle_.back();
    idle_.pop_back();
    return taken;
  }

  void release(std::size_t worker) { idle_.push_back(worker); }

  /// Takes back everything that no worker has.
  std::vector<Waiter> drop_queued() {
    std::vector<Waiter> waiters;
    for (auto& entry : queue_)
      waiters.push_back(std::move(entry.waiter));
    queue_.clear();
    return waiters;
  }

  [[nodiscard]] std::size_t queued() const { return queue_.size(); }
  [[nodiscard]] std::size_t idle() const { return idle_.size(); }

private:
  std::deque<assignment> queue_;
  std::vector<std::size_t> idle_;
};

} // namespace brewery
