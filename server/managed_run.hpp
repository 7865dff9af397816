#pragma once
/// One run of a coordinator, on its own thread, and the coordinator's files in
/// the run's directory.

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

/// The jobs of a run that were given up, each with the reason.
using quarantine_list = std::map<job_id, std::string>;

/// Allows jobs that were given up to be tried again: all, or the one with this
/// id. Appends an event to the log of a run that is not executing. Returns the
/// number of jobs. Later decisions are made again when the run resumes.
result<std::size_t> retry_quarantined(const run_directory& directory,
                                      const std::string& job);
/// Reads that list from a log.
result<quarantine_list> read_quarantined(const run_directory& directory);

class coordinator_service::managed_run {
public:
  managed_run(cluster_runtime& on, run_inputs inputs, problem what);
  ~managed_run();

  [[nodiscard]] std::string id() const { return directory_.id(); }
  [[nodiscard]] const run_directory& directory() const { return directory_; }
  [[nodiscard]] bool running() const;
  [[nodiscard]] std::string state() const;
  [[nodiscard]] nlohmann::ordered_json as_json() const;
  [[nodiscard]] quarantine_list quarantined() const;

  /// Waits until the pool knows the run's search, or the run has ended.
  void wait_until_open();
  /// Ends the run without waiting for running jobs.
  void abandon();
  void wait();

private:
  run_directory directory_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  run_executor* executor_ = nullptr; ///< guarded by mutex_
  bool opened_ = false, ended_ = false, abandoned_ = false;
  std::string failure_;
  std::vector<arm_result> arms_;
  quarantine_list quarantined_;
  progress_view last_view_;
  std::thread thread_;
};

} // namespace brewery
