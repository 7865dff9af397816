#pragma once
/// The threads of a worker process that run jobs. Owned by the process's
/// network thread, which can query and cancel running jobs here.

#include "workers/job_runner.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <thread>

namespace brewery {

struct slot_task {
  run_id run;
  job work;
  std::shared_ptr<const job_runner> runner;
};

struct slot_outcome {
  run_id run;
  job_id job;
  std::string result; ///< wire bytes of a job_result
  std::string error;  ///< one line, if there is no result
};

class slots {
public:
  /// `on_done` is called on a slot's thread. It is not called for cancelled
  /// jobs.
  slots(std::uint32_t count, std::function<void(slot_outcome)> on_done);
  /// Cancels running jobs and waits for them, except for those that do not end.
  ~slots();
  slots(const slots&) = delete;
  slots& operator=(const slots&) = delete;

  void begin(slot_task task);
  /// Requests the end of a job; a rollout ends at its next tool call. A slot
  /// that runs it is replaced at once, so an environment that hangs costs a
  /// thread, not a slot.
  void cancel(const run_id& run, const job_id& job);
  /// The number of tool calls of each running job.
  using job_key = std::pair<run_id, job_id>;
  [[nodiscard]] std::map<job_key, std::uint64_t> progress() const;

private:
  /// Shared with the threads, which may outlive the owner.
  struct state;
  std::shared_ptr<state> state_;
};

} // namespace brewery
