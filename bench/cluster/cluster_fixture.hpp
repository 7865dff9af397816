#pragma once
/// The coordinator's side of a benchmark, in this process: the real gateway,
/// worker acceptor, proxies, pool and job table. Optionally a real ledger and
/// journal with an event log on disk.

#include "actors/interfaces.hpp"
#include "bench/cluster/load_generator.hpp"
#include "run/cluster_runtime.hpp"
#include "store/event_log.hpp"
#include "tests/fixtures/scratch.hpp"

namespace brewery::bench {

class cluster_fixture {
public:
  explicit cluster_fixture(bool durable, bool realtime = false);
  ~cluster_fixture();
  cluster_fixture(const cluster_fixture&) = delete;
  cluster_fixture& operator=(const cluster_fixture&) = delete;

  /// The caller adds the numbers of jobs.
  [[nodiscard]] feed new_feed() const;
  void wait_for_workers(std::size_t count) const;
  [[nodiscard]] pool_status_ptr status() const { return machine_->status(); }
  [[nodiscard]] std::string endpoint() const { return machine_->endpoint(); }
  [[nodiscard]] caf::actor_system& system() const { return machine_->system(); }
  [[nodiscard]] const std::filesystem::path& folder() const {
    return folder_.path();
  }

private:
  scratch folder_;
  std::shared_ptr<event_log> log_;
  std::unique_ptr<cluster_runtime> machine_;
  std::shared_ptr<const setup_blob> setup_;
  journal_actor journal_;
  ledger_actor ledger_;
};

} // namespace brewery::bench
