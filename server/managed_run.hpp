#pragma once
/// One run of a coordinator, on its own thread.

#include "run/resume/failed_jobs.hpp"
#include "server/coordinator_service.hpp"
#include "store/submission.hpp"

namespace brewery {

/// Whether there is nothing to do for the run. One that was killed between its
/// report and its status writes both again.
bool is_finished(const run_directory& run);

/// To append to. There is none yet if the process was killed after it took the
/// order and before it created the log.
result<std::unique_ptr<event_log>> log_of(const run_directory& directory);

/// Both are called on the run's thread.
struct managed_run_events {
  std::function<void(const error& why)> on_unreadable; ///< its log is damaged
  std::function<void()> on_end;
};

class coordinator_service::managed_run {
public:
  managed_run(cluster_runtime& on, std::string group, run_inputs inputs,
              problem what, managed_run_events events);
  ~managed_run();

  [[nodiscard]] std::string id() const { return directory_.id(); }
  [[nodiscard]] const run_directory& directory() const { return directory_; }
  [[nodiscard]] const std::string& group() const { return group_; }
  [[nodiscard]] bool running() const;
  [[nodiscard]] std::string state() const;
  [[nodiscard]] nlohmann::ordered_json as_json() const;
  [[nodiscard]] failed_jobs failed() const;

  /// What `as_json` says from now on.
  void set_share(run_share share);
  /// Waits until the pool knows the run's search, or the run has ended.
  void wait_until_open();
  /// Ends the run without waiting for running jobs.
  void abandon();
  /// Like `abandon`; the run's status says that this was an order.
  void cancel();
  /// One that is held, was stopped or failed is cancelled from now on.
  void cancel_ended();
  /// Whether it has ended, by then at the latest.
  bool ends_until(std::chrono::steady_clock::time_point until);
  /// An ended thread keeps its stack until then.
  void join_if_ended();

private:
  [[nodiscard]] std::string advice(const error& why) const;

  run_directory directory_;
  const std::string group_;  ///< empty: none
  run_share share_;          ///< guarded by mutex_
  const bool is_to_be_held_; ///< at a rung of halving
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  run_executor* executor_ = nullptr; ///< guarded by mutex_
  bool opened_ = false, ended_ = false, abandoned_ = false, cancelled_ = false;
  bool interrupted_ = false; ///< by a limit, or by its models
  bool held_ = false;
  std::string failure_;
  std::vector<arm_result> arms_;
  failed_jobs failed_;         ///< when the executor ended
  std::uint64_t rollouts_ = 0; ///< while there is no executor
  progress_view last_view_;
  std::thread thread_;
};

} // namespace brewery
