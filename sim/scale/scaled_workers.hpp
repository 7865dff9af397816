#pragma once
/// The worker processes: a real session each, and jobs that end when their time
/// is over. What they cost is not the coordinator's.

#include "cluster/worker_session.hpp"
#include "sim/event_queue.hpp"
#include "sim/scale/timed_work.hpp"

#include <memory>

namespace brewery::simulated {

class scaled_workers {
public:
  using sender = std::function<void(std::size_t worker,
                                    std::shared_ptr<const std::string>)>;
  scaled_workers(const scale_options& options, const timed_work& jobs,
                 event_queue& time, sender send);

  /// All say hello, within a second.
  void start();
  void receive(std::size_t to, const std::string& frame);
  /// Called when a job has run to its end.
  std::function<void(microseconds spent)> on_done;

private:
  struct worker {
    explicit worker(worker_session now) : session(std::move(now)) {}
    worker_session session;
    std::map<std::pair<run_id, job_id>, std::uint64_t> running; ///< attempts
  };
  void carry_out(std::size_t which, worker_step step);
  void begin(std::size_t which, const lease_grant& grant);
  void ticks(std::size_t which);

  scale_options options_;
  const timed_work& jobs_;
  event_queue& time_;
  sender send_;
  std::vector<worker> workers_;
};

} // namespace brewery::simulated
