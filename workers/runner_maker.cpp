#include "workers/runner_maker.hpp"

namespace brewery {

runner_maker::runner_maker(runner_factory make, std::function<void()> on_made)
    : make_(std::move(make)), on_made_(std::move(on_made)),
      thread_([this] { run(); }) {}

runner_maker::~runner_maker() {
  {
    const std::lock_guard lock{mutex_};
    done_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void runner_maker::ask(const std::string& hash, const std::string& setup) {
  {
    const std::lock_guard lock{mutex_};
    if (!asked_.insert(hash).second) return;
    waiting_.emplace_back(hash, setup);
  }
  changed_.notify_all();
}

std::vector<runner_maker::made_runner> runner_maker::take() {
  const std::lock_guard lock{mutex_};
  for (const auto& one : made_)
    asked_.erase(one.hash);
  return std::exchange(made_, {});
}

void runner_maker::run() {
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return done_ || !waiting_.empty(); });
    if (done_) return;
    const auto [hash, setup] = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    auto runner = make_(setup);
    lock.lock();
    made_.push_back({hash, std::move(runner)});
    if (done_) return; // nobody looks any more
    lock.unlock();
    on_made_();
    lock.lock();
  }
}

} // namespace brewery
