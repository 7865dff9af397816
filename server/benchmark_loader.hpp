#pragma once
/// Loads the benchmarks of submitted runs on a thread of its own, one after the
/// other. A benchmark's program may take half a minute to tell its tasks, and
/// no other order waits for it. Thread-safe.

#include "run/setup/problem.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace brewery {

class benchmark_loader {
public:
  using receiver = std::function<void(result<problem>)>;

  benchmark_loader();
  ~benchmark_loader();
  benchmark_loader(const benchmark_loader&) = delete;
  benchmark_loader& operator=(const benchmark_loader&) = delete;

  /// `loaded` is called once, on the thread of this, unless everything ends.
  void load(config options, receiver loaded);
  /// Waits for the one under way; those behind it are not loaded.
  void end();

private:
  struct wish {
    config options;
    receiver loaded;
  };
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<wish> waiting_; ///< guarded by mutex_
  bool done_ = false;        ///< guarded by mutex_
  std::thread thread_;
};

} // namespace brewery
