#pragma once
/// The benchmarks that a worker process offers, loaded once, and the job
/// runners made of them for each search. Shared by the process's slots;
/// thread-safe once loaded.

#include "actors/process_metrics.hpp"
#include "config/config.hpp"
#include "run/setup/problem.hpp"
#include "workers/coordinator_rpc.hpp"
#include "workers/job_runner.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

class worker_benchmarks {
public:
  /// `offers` are the arguments of `--env`. `part` says whether this worker
  /// makes or grades spreadsheet rollouts. Errors name the offer.
  static result<std::shared_ptr<worker_benchmarks>>
  load(const std::vector<std::string>& offers, spreadsheet::share part);

  /// The job runner for a search. `setup` holds the wire bytes of a
  /// run_setup. Error ec::version_mismatch if this process would compute
  /// other results.
  [[nodiscard]] result<std::shared_ptr<const job_runner>>
  runner(const std::string& setup) const;

  [[nodiscard]] const std::map<std::string, std::shared_ptr<const benchmark>>&
  by_kind() const {
    return by_kind_;
  }
  [[nodiscard]] const std::shared_ptr<process_metrics>& metrics() const {
    return metrics_;
  }
  /// Where its jobs request model replies and grades.
  [[nodiscard]] const std::shared_ptr<coordinator_rpc>& coordinator() const {
    return coordinator_;
  }

private:
  [[nodiscard]] result<std::shared_ptr<const benchmark>>
  source_for(const environment_options& wanted) const;
  [[nodiscard]] grader_maker graders() const;
  [[nodiscard]] result<void> take_sentence_model(config& wanted) const;

  spreadsheet::share part_ = spreadsheet::share::all;
  std::map<std::string, std::shared_ptr<const benchmark>> by_kind_;
  std::map<std::string, environment_options> offers_; ///< by kind
  std::map<std::string, embedder_options> embedders_; ///< by kind
  std::shared_ptr<process_metrics> metrics_ =
      std::make_shared<process_metrics>();
  std::shared_ptr<coordinator_rpc> coordinator_ =
      std::make_shared<coordinator_rpc>();
};

} // namespace brewery
