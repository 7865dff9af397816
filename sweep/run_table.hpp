#pragma once
/// The runs of a sweep that are under way: what runs their jobs, and what
/// watches and stops them. Thread-safe.

#include "run/run_executor.hpp"
#include "run/setup/run_models.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace brewery {

class run_table {
public:
  struct amounts {
    std::uint64_t rollouts = 0; ///< of the run's log
    double cost_usd = 0;
  };

  void set_runner(const run_id& run, std::shared_ptr<const job_runner> runner);
  [[nodiscard]] std::shared_ptr<const job_runner>
  runner(const run_id& run) const;

  /// Null: the run has ended. One that comes after `stop_all` is stopped.
  void set_executor(const run_id& run, run_executor* executor,
                    const run_models& models);

  /// No job and no call of a model begins any more.
  void stop_all();
  [[nodiscard]] bool stopped() const;
  /// By the run's id.
  [[nodiscard]] std::map<std::string, amounts> under_way() const;

private:
  struct open_run {
    run_executor* executor = nullptr;
    run_models models;
  };
  mutable std::mutex mutex_;
  std::map<run_id, std::shared_ptr<const job_runner>> runners_;
  std::map<run_id, open_run> open_;
  void stop(const open_run& run) const;

  bool stopped_ = false;
};

} // namespace brewery
