#pragma once
/// What the runs of one process share: the actor system, the pool and its
/// workers (threads of this process, or processes that connect), and the blobs
/// that workers fetch. One per process; run executors (run/run_executor.hpp)
/// use it.

#include "actors/interfaces.hpp"
#include "actors/process_metrics.hpp"
#include "actors/slot_meter.hpp"
#include "kb/document.hpp"
#include "net/gateway.hpp"
#include "run/broker_registry.hpp"
#include "workers/job_runner.hpp"
#include "workers/worker_acceptor.hpp"
#include "workers/worker_actor.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace brewery {

/// A run's set-up, and the hash under which workers fetch it.
struct setup_blob {
  std::string hash, text;
};

/// The contents that workers fetch: all documents and all set-ups.
class blob_registry {
public:
  /// Those that threads of this process look up too.
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();

  /// Others, which are found as long as somebody holds the store: a coordinator
  /// forgets the documents of runs that have ended.
  std::shared_ptr<document_store> open_documents();

  /// Found as long as somebody holds it.
  std::shared_ptr<const setup_blob> add_setup(std::string text);
  [[nodiscard]] std::optional<std::string> find(const std::string& hash) const;

private:
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<const setup_blob>> setups_;
  std::vector<std::weak_ptr<const document_store>> opened_;
};

/// Maps a run to the source of its rollouts' grades. Thread-safe.
class grading_registry {
public:
  void open(const run_id& run, grading where);
  void close(const run_id& run);
  /// Null if the run is not open, or if its benchmark has no separate goldens.
  [[nodiscard]] grading find(const run_id& run) const;

private:
  mutable std::mutex mutex_;
  std::map<run_id, grading> open_;
};

struct cluster_runtime_inputs {
  std::shared_ptr<process_metrics> metrics;
  std::shared_ptr<blob_registry> blobs;
  cluster_options cluster;
  std::uint64_t epoch = 1;
  /// Names the coordinator over its restarts, for results in spools of workers;
  /// empty: its workers keep none, or for whoever is there.
  std::string cluster_id{};
  /// Runs the jobs of this process's threads; empty: no such threads.
  runner_lookup runners;
  std::uint32_t threads = 0;   ///< 0: one per core
  std::uint32_t processes = 0; ///< expected worker processes, for figures
  /// Where workers connect. Empty: none can. `realtime`: so are the threads of
  /// CAF's scheduler, while no actor computes for a search.
  std::optional<gateway_options> listen;
  peer_kind_lookup peer_kinds_of;
  operator_handler operators;
  /// Takes the lines of connected workers' logs; may be empty.
  worker_log_observer on_worker_log{};
};

class cluster_runtime {
public:
  static result<std::unique_ptr<cluster_runtime>>
  start(cluster_runtime_inputs inputs);
  ~cluster_runtime();
  cluster_runtime(const cluster_runtime&) = delete;
  cluster_runtime& operator=(const cluster_runtime&) = delete;

  /// Lets workers in. Call it when the searches are open.
  result<void> listen();
  /// For the end of the process. Stops all frames: workers continue their jobs
  /// and look for a coordinator. Ends open calls of models, which may take an
  /// hour, after a few seconds.
  void disconnect();

  [[nodiscard]] caf::actor_system& system();
  [[nodiscard]] const pool_actor& pool() const;
  [[nodiscard]] const std::shared_ptr<process_metrics>& metrics() const;
  /// A place for the documents of a run, from which its jobs find them.
  [[nodiscard]] std::shared_ptr<document_store> documents_of_run() const;
  [[nodiscard]] const std::shared_ptr<blob_registry>& blobs() const;
  /// For the model calls of connected workers' jobs.
  [[nodiscard]] broker_registry& models();
  /// For the grades of connected workers' rollouts.
  [[nodiscard]] grading_registry& grades();
  /// The number of slots, including those of expected worker processes.
  [[nodiscard]] std::size_t workers() const;
  /// Of connected workers and of threads, over time.
  [[nodiscard]] const std::shared_ptr<slot_meter>& slots() const;
  [[nodiscard]] std::string endpoint() const;
  [[nodiscard]] pool_status_ptr status() const;
  /// From now on, for an open run.
  void set_share(const run_id& run, run_share share);
  /// Drains all workers of this name. Returns their number.
  std::uint64_t drain(const std::string& worker);
  /// Ends the sessions of workers whose key was revoked. Returns their number.
  /// Error ec::timeout: whoever ends them has not answered. Error
  /// ec::malformed: it cannot be known of all whether they are revoked.
  result<std::uint64_t> check_keys();
  /// Liveness: whether its threads still make progress.
  [[nodiscard]] bool alive() const;
  /// Why no jobs are granted, in one line; empty if they are.
  [[nodiscard]] std::string why_not_ready() const;

private:
  struct state;
  explicit cluster_runtime(std::unique_ptr<state> started);
  std::unique_ptr<state> state_;
};

} // namespace brewery
