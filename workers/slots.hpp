#pragma once
/// The threads of a worker process that run jobs. Owned by the process's
/// network thread, which can query and cancel running jobs here.

#include "cluster/worker_session.hpp"
#include "workers/job_runner.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace brewery {

struct slot_task {
  run_id run;
  job work;
  std::shared_ptr<const job_runner> runner;
};

struct slot_outcome {
  run_id run;
  job_id job;
  std::string result; ///< wire bytes of a job_result, compressed if long
  std::string error;  ///< one line, if there is no result
  std::chrono::microseconds played{0}; ///< its time on a slot
};

class slots {
public:
  /// Jobs that take less are taken for short.
  static constexpr std::chrono::microseconds short_job{50};
  /// How soon to look again where jobs have been short lately.
  static constexpr std::chrono::milliseconds soon{5};
  /// How long what has ended may wait to be told, while no slot is idle.
  static constexpr std::chrono::milliseconds hold_for{20};

  /// `on_done` is called on a slot's thread when there is something to `take`.
  slots(std::uint32_t count, std::function<void()> on_done,
        std::chrono::microseconds short_below = short_job,
        std::chrono::milliseconds waits_for = worker_session::slot_wait_max);
  /// Cancels running jobs and waits for them, except for those that do not end.
  ~slots();
  slots(const slots&) = delete;
  slots& operator=(const slots&) = delete;

  /// Adds a job; `start` wakes a thread for it.
  void add(slot_task task);
  /// Wakes a thread for each added job. After short jobs, one thread for all of
  /// them, which tells of them together: to wake a thread takes longer than
  /// such a job. One of them may be long, so it is to be called again within
  /// the time that it returns, and `take` too: while there are more jobs than
  /// slots, the owner is not called for each.
  std::optional<std::chrono::milliseconds> start();
  /// What has ended since the call before, without cancelled jobs, and what has
  /// waited too long for a slot, with that error.
  std::vector<slot_outcome> take();
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
