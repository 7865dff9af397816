#pragma once
/// A coordinator process: hosts runs on one runtime, takes orders, and on its
/// start goes on with every run that was not finished. Its directory of runs
/// belongs to it alone.
///
///   runs/.coordinator/lock, epoch   who it is, and how often it has started
///   runs/ID/submission.json         weight, priority, and whether cancelled
///
/// Orders come in on any thread and are carried out one after the other on its
/// own.

#include "apps/connection.hpp"
#include "apps/session.hpp"
#include "net/http_server.hpp"
#include "store/directory_lock.hpp"

#include <condition_variable>
#include <deque>
#include <optional>
#include <thread>

namespace brewery {

struct service_options {
  std::filesystem::path runs_dir{"runs"};
  gateway_options listen;
  std::vector<offered_environment> environments; ///< where data is here
  cluster_options cluster;
  std::filesystem::path models; ///< catalog; empty: no models
  std::string metrics_listen;
};

class coordinator_service {
public:
  /// ec::in_use when another coordinator has the directory.
  static result<std::unique_ptr<coordinator_service>>
  start(const service_options& options);
  /// Hangs up: workers keep what they run for the next coordinator.
  ~coordinator_service();
  coordinator_service(const coordinator_service&) = delete;
  coordinator_service& operator=(const coordinator_service&) = delete;

  [[nodiscard]] std::string endpoint() const;
  [[nodiscard]] const runtime& machine() const { return *runtime_; }
  [[nodiscard]] std::size_t resumed() const { return resumed_; }

private:
  struct hosted_run;
  using order =
      std::pair<operator_request, std::function<void(operator_reply)>>;
  using arguments = std::map<std::string, std::string>;

  coordinator_service(const service_options& options, directory_lock lock,
                      std::uint64_t epoch);
  result<void> resume_runs();
  /// `what`: if it is loaded already.
  result<void> host(const run_directory& directory,
                    std::optional<problem> what = std::nullopt);
  void take_orders();
  result<nlohmann::ordered_json> carry_out(const operator_request& request);
  result<nlohmann::ordered_json> submit(const arguments& words);
  result<nlohmann::ordered_json> cancel(const arguments& words);
  result<nlohmann::ordered_json> resume(const arguments& words);
  result<nlohmann::ordered_json> retry(const arguments& words);
  result<nlohmann::ordered_json> drain(const arguments& words);
  [[nodiscard]] nlohmann::ordered_json status() const;
  [[nodiscard]] nlohmann::ordered_json workers() const;
  [[nodiscard]] nlohmann::ordered_json quarantine() const;
  result<hosted_run*> find(const arguments& words);
  void end_run(hosted_run& run);
  result<config> localised(config options) const;
  /// One service per catalog, so that runs share the limits of its servers.
  result<run_models> models_for(const config& options,
                                const run_directory& directory);

  service_options options_;
  directory_lock lock_;
  std::uint64_t epoch_;
  std::size_t resumed_ = 0;
  std::map<std::string, std::unique_ptr<hosted_run>> runs_;
  std::map<std::filesystem::path, std::shared_ptr<model_service>> services_;
  std::unique_ptr<runtime> runtime_;
  std::unique_ptr<http_server> endpoint_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<order> orders_; ///< guarded by mutex_
  bool done_ = false;        ///< guarded by mutex_
  std::thread clerk_;
};

} // namespace brewery
