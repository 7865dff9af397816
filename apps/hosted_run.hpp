#pragma once
/// One run of a coordinator, on a thread of its own, and what the coordinator
/// keeps beside it on disk.

#include "apps/coordinator_service.hpp"

namespace brewery {

/// `submission.json` of a run directory: it belongs to a coordinator.
struct submission {
  double weight = 1;
  std::int32_t priority = 0;
  bool cancelled = false;
};

/// ec::not_found when the run was not submitted to a coordinator.
result<submission> read_submission(const run_directory& directory);
result<void> write_submission(const run_directory& directory,
                              const submission& about);

/// Jobs of a run that were given up, with the reason.
using quarantine_list = std::map<job_id, std::string>;

/// Lets given-up jobs of a run that nobody runs be tried again (all, or one by
/// id), by an event in its log; returns how many. What was decided after them
/// is decided again when the run goes on.
result<std::size_t> retry_quarantined(const run_directory& directory,
                                      const std::string& job);
/// The same list from a log.
result<quarantine_list> read_quarantined(const run_directory& directory);

class coordinator_service::hosted_run {
public:
  hosted_run(runtime& on, session_inputs inputs, problem what);
  ~hosted_run();

  [[nodiscard]] std::string id() const { return directory_.id(); }
  [[nodiscard]] const run_directory& directory() const { return directory_; }
  [[nodiscard]] bool running() const;
  [[nodiscard]] std::string state() const;
  [[nodiscard]] nlohmann::ordered_json as_json() const;
  [[nodiscard]] quarantine_list quarantined() const;

  /// Until its search is known to the pool, or it has ended.
  void wait_until_open();
  /// Ends it without waiting for what workers run.
  void abandon();
  void wait();

private:
  run_directory directory_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  engine* engine_ = nullptr; ///< guarded by mutex_
  bool opened_ = false, ended_ = false, abandoned_ = false;
  std::string failure_;
  std::vector<arm_result> arms_;
  quarantine_list quarantined_;
  progress_view last_view_;
  std::thread thread_;
};

} // namespace brewery
