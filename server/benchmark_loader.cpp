#include "server/benchmark_loader.hpp"

#include "run/guarded.hpp"

#include <utility>

namespace brewery {

benchmark_loader::benchmark_loader() : thread_([this] { work(); }) {}

benchmark_loader::~benchmark_loader() {
  end();
}

void benchmark_loader::end() {
  {
    const std::lock_guard guard{mutex_};
    done_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void benchmark_loader::load(config options, receiver loaded) {
  const std::lock_guard guard{mutex_};
  waiting_.push_back({std::move(options), std::move(loaded)});
  changed_.notify_one();
}

void benchmark_loader::work() {
  std::unique_lock guard{mutex_};
  for (;;) {
    changed_.wait(guard, [this] { return done_ || !waiting_.empty(); });
    if (done_) return;
    const auto next = std::move(waiting_.front());
    waiting_.pop_front();
    guard.unlock();
    next.loaded(guarded([&] { return load_problem(next.options); }));
    guard.lock();
  }
}

} // namespace brewery
