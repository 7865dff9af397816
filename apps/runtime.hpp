#pragma once
/// What searches of one process share: the actor system, the pool and its
/// workers (threads of this process, or processes that connect), the blobs
/// workers fetch. One per process; engines (apps/engine.hpp) run on it.

#include "actors/interfaces.hpp"
#include "actors/probes.hpp"
#include "apps/desk_directory.hpp"
#include "kb/document.hpp"
#include "net/gateway.hpp"
#include "workers/job_runner.hpp"
#include "workers/reception.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace brewery {

/// Contents that workers ask for: every document and every set-up.
class blob_shelf {
public:
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();

  /// Returns the hash it can be asked for with.
  std::string add_setup(std::string text);
  [[nodiscard]] std::vector<std::string> find(const std::string& hash) const;

private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> setups_;
};

/// Where rollouts get their grades, by run. Thread-safe.
class grading_directory {
public:
  void open(const search_id& run, grading where);
  void close(const search_id& run);
  /// Null of a run that is not open, or whose benchmark keeps nothing apart.
  [[nodiscard]] grading find(const search_id& run) const;

private:
  mutable std::mutex mutex_;
  std::map<search_id, grading> open_;
};

struct runtime_inputs {
  std::shared_ptr<probes> metrics;
  std::shared_ptr<blob_shelf> blobs;
  cluster_options cluster;
  std::uint64_t epoch = 1;
  /// Threads of this process; null: none.
  std::shared_ptr<const job_runner> runner;
  std::uint32_t threads = 0;   ///< 0: one per core
  std::uint32_t processes = 0; ///< that will connect, for figures
  /// 0..1: where workers connect.
  std::vector<gateway_options> listen;
  role_lookup role_of;
  operator_handler operators;
};

class runtime {
public:
  static result<std::unique_ptr<runtime>> start(runtime_inputs inputs);
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  /// Searches may be open now: lets workers in.
  result<void> listen();
  /// No frame comes in or goes out any more: workers go on with what they have
  /// and look for a coordinator.
  void hang_up();

  [[nodiscard]] caf::actor_system& system();
  [[nodiscard]] const pool_actor& pool() const;
  [[nodiscard]] const std::shared_ptr<probes>& metrics() const;
  [[nodiscard]] const std::shared_ptr<document_store>& documents() const;
  [[nodiscard]] const std::shared_ptr<blob_shelf>& blobs() const;
  /// Where jobs of connected workers ask models.
  [[nodiscard]] desk_directory& models();
  /// Where rollouts of connected workers ask for grades.
  [[nodiscard]] grading_directory& grades();
  /// Slots there are, or will be once its worker processes have connected.
  [[nodiscard]] std::size_t workers() const;
  [[nodiscard]] std::string endpoint() const;
  [[nodiscard]] pool_status_ptr status() const;
  /// Workers of this name leave; how many there are.
  std::uint64_t drain(const std::string& worker);
  /// Whether its threads still turn: liveness.
  [[nodiscard]] bool alive() const;
  /// Whether jobs are granted, as one line; empty when they are.
  [[nodiscard]] std::string why_not_ready() const;

private:
  struct state;
  explicit runtime(std::unique_ptr<state> started);
  std::unique_ptr<state> state_;
};

} // namespace brewery
