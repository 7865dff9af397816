#pragma once
/// Makes job runners on a thread of its own, one after the other: a benchmark
/// may take minutes to load, and a worker that says nothing meanwhile would be
/// taken for dead. Owned by a worker_process, whose network thread calls it.

#include "workers/job_runner.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace brewery {

/// Makes the job runner of a run from the run's set-up.
using runner_factory = std::function<result<std::shared_ptr<const job_runner>>(
    const std::string& setup)>;

class runner_maker {
public:
  struct made_runner {
    std::string hash; ///< of the set-up
    result<std::shared_ptr<const job_runner>> runner;
  };

  /// `on_made` is called on the thread for each that `take` may give.
  runner_maker(runner_factory make, std::function<void()> on_made);
  /// Waits for the one that is being made.
  ~runner_maker();
  runner_maker(const runner_maker&) = delete;
  runner_maker& operator=(const runner_maker&) = delete;

  /// Does nothing if this one was asked for and not taken.
  void ask(const std::string& hash, const std::string& setup);
  std::vector<made_runner> take();

private:
  void run();

  runner_factory make_;
  std::function<void()> on_made_;
  std::mutex mutex_; ///< guards what follows
  std::condition_variable changed_;
  bool done_ = false;
  std::set<std::string> asked_; ///< hashes, until they are taken
  std::deque<std::pair<std::string, std::string>> waiting_;
  std::vector<made_runner> made_;
  std::thread thread_; ///< last: it uses the others
};

} // namespace brewery
