#pragma once
/// The threads of a worker process that run jobs, and what can be asked of a
/// running job. The owner is the process's network thread.

#include "workers/job_runner.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
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
  /// Cancels what runs and waits for it, but not for what does not end.
  ~slots();
  slots(const slots&) = delete;
  slots& operator=(const slots&) = delete;

  void begin(slot_task task);
  /// Asks it to end; a rollout does at its next tool call. A slot that runs it
  /// is replaced at once: an environment that hangs costs a thread, not a slot.
  void cancel(const search_id& search, const job_id& job);
  /// Tool calls of each running job.
  using job_key = std::pair<search_id, job_id>;
  [[nodiscard]] std::map<job_key, std::uint64_t> progress() const;

private:
  /// Shared with the threads, which may outlive the owner.
  struct state;
  std::shared_ptr<state> state_;
};

} // namespace brewery
