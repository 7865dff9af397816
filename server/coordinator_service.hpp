#pragma once
/// The service of a coordinator process. It executes runs on one runtime,
/// carries out orders, and at its start resumes every unfinished run. It has
/// exclusive use of its directory of runs:
///
///   runs/.coordinator/lock, epoch   the lock, and the number of starts
///   runs/.coordinator/cluster       a name drawn once, for what workers keep
///   runs/.coordinator/shared.json   by group: how many rollouts runs shared
///   runs/.coordinator/draining      incarnations of workers that drain, by
///   line runs/.coordinator/log.jsonl     its log and its workers', bounded
///   runs/ID/submission.json         weight, priority, end, group
///
/// Orders arrive on any thread. The command thread carries them out, one after
/// the other; a run that is submitted comes to it when its benchmark is loaded.

#include "net/gateway.hpp"
#include "net/http_server.hpp"
#include "run/logging/log_sink.hpp"
#include "run/run_lifecycle.hpp"
#include "run/setup/offered_environment.hpp"
#include "server/benchmark_loader.hpp"
#include "server/grouped_runs.hpp"
#include "server/page_orders.hpp"
#include "store/directory_lock.hpp"
#include "store/log_file.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <optional>
#include <set>
#include <thread>

namespace brewery {

struct submission;

struct service_options {
  std::filesystem::path runs_dir{"runs"};
  gateway_options listen;
  /// The environments whose data or program is on this machine.
  std::vector<offered_environment> environments;
  cluster_options cluster;
  std::filesystem::path models; ///< the catalog; empty: no models
  std::string metrics_listen;
  /// Pages beside the metrics; empty: none. Told the port once it is known.
  http_handler pages{};
  std::function<void(std::uint16_t)> pages_port{};
  /// What operators ask pages of (`brewery ui --connect`); empty: nothing.
  http_handler page_for_operators{};
  /// Whether the start is to be given up; asked while it waits for disk space.
  std::function<bool()> stopped = [] { return false; };
};

class coordinator_service {
public:
  /// Error ec::in_use if another coordinator uses the directory.
  static result<std::unique_ptr<coordinator_service>>
  start(const service_options& options);
  /// Ends the sessions of workers whose key was revoked.
  void check_keys();
  /// Disconnects. Workers keep their jobs for the next coordinator.
  ~coordinator_service();
  coordinator_service(const coordinator_service&) = delete;
  coordinator_service& operator=(const coordinator_service&) = delete;

  [[nodiscard]] std::string endpoint() const;
  [[nodiscard]] std::size_t resumed() const { return resumed_; }

private:
  struct managed_run;
  struct order {
    std::string asker;
    operator_request request;
    std::function<void(operator_reply)> reply;
    /// Of a run that is submitted, once it is loaded.
    std::shared_ptr<result<problem>> benchmark{};
  };
  using arguments = std::map<std::string, std::string>;

  coordinator_service(const service_options& options, directory_lock lock,
                      std::uint64_t epoch);
  result<void> resume_runs();
  /// A run that cannot be read is shown until it is resumed.
  void note_unreadable(const run_directory& directory, const error& why);
  void set_unreadable(const run_directory& directory, const error& why);
  void note_readable(const std::string& run);
  [[nodiscard]] std::map<std::string, std::string> unreadable() const;
  /// The configuration of a run, as it is carried out here.
  [[nodiscard]] result<config> options_of(const run_directory& directory) const;
  /// Whether the data and models of now are those that the run began with.
  [[nodiscard]] result<void> still_fits(const run_directory& directory) const;
  /// Starts a managed run. `what` is its problem, if it is already loaded.
  result<void> host(const run_directory& directory,
                    std::optional<problem> what = std::nullopt);
  /// Hosts a run, or lets it wait until others of its group have ended.
  result<void> host_in_turn(const run_directory& directory,
                            std::optional<problem> what = std::nullopt);
  /// Whether it has come to where it is to be held.
  [[nodiscard]] bool is_held(const run_directory& directory,
                             const submission& about) const;
  /// Whether the group has as many runs under way as it may.
  [[nodiscard]] bool is_full(const std::string& group) const;
  /// Hosts runs that wait. A run has ended, so there may be room.
  void host_queued();
  void host_queued(const std::string& group);
  /// A queued run that found none is tried again.
  void wait_for_space(const std::string& run, const error& why);
  void take_order(order what);
  void carry_out_orders();
  /// Nothing: it is carried out once its benchmark is loaded.
  std::optional<operator_reply> answer_to(const order& what);
  result<nlohmann::ordered_json> carry_out(const operator_request& request);
  /// Nothing: the answer comes once the benchmark is loaded.
  result<std::optional<nlohmann::ordered_json>> submit(const order& what);
  result<std::optional<nlohmann::ordered_json>> submit_new(const order& what);
  void load_benchmark(order what, const config& options);
  [[nodiscard]] bool is_taken(const std::string& id) const;
  /// A run of a group that is there already: goes on, longer if that is all
  /// that differs.
  result<nlohmann::ordered_json> submit_again(const run_directory& directory,
                                              const submission& wanted,
                                              const config& options);
  result<void> host_reopened(const run_directory& directory);
  result<void> host_again(const run_directory& directory);
  result<void> host_again_with(const run_directory& directory,
                               const config& before, const config& now);
  /// Whether any of these keys, which spaces part, may connect.
  [[nodiscard]] bool still_allows(std::string_view public_keys) const;
  result<nlohmann::ordered_json> cancel(const arguments& words);
  /// So that it does not go on at the next start.
  static result<submission> note_cancelled(const run_directory& run);
  /// Until then it waits for the run's end, as calls of models may take long,
  /// and others have orders.
  result<nlohmann::ordered_json>
  cancel_run(managed_run& run, std::chrono::steady_clock::time_point until);
  [[nodiscard]] static std::chrono::steady_clock::time_point
  patience_for_an_end() {
    return std::chrono::steady_clock::now() + std::chrono::seconds{5};
  }
  /// Whether nothing of a run is in hand but its files: it waits for its turn,
  /// or ended before this start.
  [[nodiscard]] bool is_only_stored(const std::string& id) const;
  result<nlohmann::ordered_json> set_stored(const arguments& words,
                                            const std::string& id);
  result<nlohmann::ordered_json> cancel_stored(const std::string& id,
                                               const std::string& why);
  /// One that was stopped or failed goes on by an order, or at the next start.
  result<nlohmann::ordered_json> cancel_ended(managed_run& run,
                                              const std::string& why);
  /// The same for one of a group; false if there is nothing to cancel.
  bool cancel_stopped(const std::string& id);
  result<nlohmann::ordered_json> cancel_unreadable(const std::string& id);
  /// A run that waits for its turn; empty: there is none of this id.
  [[nodiscard]] std::string group_that_queues(const std::string& run) const;
  /// What the documents of a run had come to at a barrier, if it is there.
  [[nodiscard]] result<nlohmann::ordered_json>
  reward(const arguments& words) const;
  result<void> cancel_queued(const std::string& group, const std::string& run);
  /// The group of a run that is held at a rung; empty: it is not.
  [[nodiscard]] std::string group_that_holds(const std::string& run) const;
  /// `why` is stored as the reason of its end; may be empty.
  result<void> cancel_held(const std::string& group, const std::string& run,
                           const std::string& why);
  /// All runs of one group.
  result<nlohmann::ordered_json> cancel_group(const std::string& group);
  static result<void> read_share(const arguments& words, submission& into);
  /// The group and its limit, which stays what it is if nothing is said of it.
  result<void> read_group(const arguments& words, submission& into) const;
  result<nlohmann::ordered_json> set(const arguments& words);
  /// The last lines about a run or a worker.
  [[nodiscard]] result<nlohmann::ordered_json>
  logs(const arguments& words) const;
  void take_worker_log(const std::string& worker, const std::string& line);
  result<nlohmann::ordered_json> resume(const arguments& words);
  result<nlohmann::ordered_json> retry(const arguments& words);
  result<void> end_for_retry(managed_run& run);
  result<nlohmann::ordered_json> drain(const arguments& words);
  void drain_as_before() const;
  void keep_drains(const pool_status& now) const;
  /// What of a run can be fetched.
  [[nodiscard]] result<nlohmann::ordered_json>
  files(const arguments& words) const;
  /// A part of one of these files.
  [[nodiscard]] result<std::string> read_piece(const arguments& words) const;
  [[nodiscard]] nlohmann::ordered_json status() const;
  /// For the metrics.
  void count_runs() const;
  [[nodiscard]] nlohmann::ordered_json workers() const;
  result<nlohmann::ordered_json> quarantine(const arguments& words);
  result<managed_run*> find(const arguments& words);
  /// What the runs of a group share; none for a run of no group.
  [[nodiscard]] job_share_actor share_of(const std::string& group);
  /// The states of all groups' runs, counted.
  [[nodiscard]] nlohmann::ordered_json groups() const;
  /// The runs of one group, also those that ended before the start.
  [[nodiscard]] result<nlohmann::ordered_json>
  group(const arguments& words) const;
  result<config> localised(config options) const;
  /// One service per catalog, so that runs share the limits of its servers.
  /// Null when no role uses a model; an error when one uses what is not here.
  result<std::shared_ptr<model_service>> service_for(const config& options);
  result<std::shared_ptr<model_service>>
  service_of(const std::filesystem::path& catalog);

  service_options options_;
  directory_lock lock_;
  log_file log_;
  std::unique_ptr<log_copy> log_copy_;
  std::uint64_t epoch_;
  std::size_t resumed_ = 0;
  std::map<std::string, std::unique_ptr<managed_run>> runs_;
  /// Runs by the order that submitted them.
  std::map<std::string, std::string> submitted_;
  std::map<std::filesystem::path, std::shared_ptr<model_service>> services_;
  std::unique_ptr<cluster_runtime> runtime_;
  std::unique_ptr<grouped_runs> groups_;
  std::unique_ptr<page_orders> page_orders_;
  std::unique_ptr<http_server> endpoint_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  /// Why, by run; guarded by mutex_.
  std::map<std::string, std::string> unreadable_;
  std::deque<order> orders_; ///< guarded by mutex_
  /// Asker and number of orders that wait or are under way; guarded by mutex_.
  std::set<std::pair<std::string, std::uint64_t>> unanswered_;
  bool done_ = false;      ///< guarded by mutex_
  bool run_ended_ = false; ///< since `host_queued`; guarded by mutex_
  /// When a queued run that found no space is tried again; guarded by mutex_.
  std::optional<std::chrono::steady_clock::time_point> host_again_at_;
  bool lacks_space_ = false; ///< and that was said
  benchmark_loader loader_;
  std::thread command_thread_;
};

} // namespace brewery
