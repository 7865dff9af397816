#pragma once
/// The threads of a worker process that run jobs, and what can be asked of a
/// running job. The owner is the process's network thread.

#include "workers/job_runner.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <thread>

namespace brewery {

struct slot_task {
  search_id search;
  job work;
  std::shared_ptr<const job_runner> runner;
};

struct slot_outcome {
  search_id search;
  job_id job;
  std::string result; ///< wire bytes of a job_result
  std::string error;  ///< one line, when there is none
};

class slots {
public:
  /// `on_done` is called on a slot's thread; not for cancelled jobs.
  slots(std::uint32_t count, std::function<void(slot_outcome)> on_done);
  /// Cancels what runs and waits for it.
  ~slots();
  slots(const slots&) = delete;
  slots& operator=(const slots&) = delete;

  void begin(slot_task task);
  /// Asks it to end; a rollout does at its next tool call.
  void cancel(const search_id& search, const job_id& job);
  /// Tool calls of each running job.
  using job_key = std::pair<search_id, job_id>;
  [[nodiscard]] std::map<job_key, std::uint64_t> progress() const;

private:
  void run();

  std::function<void(slot_outcome)> on_done_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<slot_task, std::shared_ptr<job_control>>> waiting_;
  std::map<job_key, std::shared_ptr<job_control>> controls_;
  bool done_ = false;
  std::vector<std::thread> threads_;
};

} // namespace brewery
