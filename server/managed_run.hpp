#pragma once
/// One run of a coordinator, on its own thread, and the coordinator's files in
/// the run's directory.

#include "run/resume/failed_jobs.hpp"
#include "server/coordinator_service.hpp"

namespace brewery {

/// The content of `submission.json` in a run directory. Only the coordinator
/// uses it.
struct submission {
  double weight = 1;
  std::int32_t priority = 0;
  bool cancelled = false;
};

/// Error ec::not_found if the run was not submitted to a coordinator.
result<submission> read_submission(const run_directory& directory);
result<void> write_submission(const run_directory& directory,
                              const submission& about);

class coordinator_service::managed_run {
public:
  /// `on_unreadable` is called, on its thread, if its log turns out damaged.
  managed_run(cluster_runtime& on, run_inputs inputs, problem what,
              std::function<void(const error& why)> on_unreadable);
  ~managed_run();

  [[nodiscard]] std::string id() const { return directory_.id(); }
  [[nodiscard]] const run_directory& directory() const { return directory_; }
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
  void wait();

private:
  [[nodiscard]] std::string advice(const error& why) const;

  run_directory directory_;
  run_share share_; ///< guarded by mutex_
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  run_executor* executor_ = nullptr; ///< guarded by mutex_
  bool opened_ = false, ended_ = false, abandoned_ = false, cancelled_ = false;
  bool interrupted_ = false; ///< by a limit, or by its models
  std::string failure_;
  std::vector<arm_result> arms_;
  failed_jobs failed_;         ///< when the executor ended
  std::uint64_t rollouts_ = 0; ///< while there is no executor
  progress_view last_view_;
  std::thread thread_;
};

} // namespace brewery
