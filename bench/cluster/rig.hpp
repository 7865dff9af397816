#pragma once
/// The coordinator's side of a benchmark, in this process: the real gateway,
/// reception, proxies, pool and job table; on demand a real ledger and journal
/// over an event log on disk.

#include "actors/interfaces.hpp"
#include "apps/runtime.hpp"
#include "bench/cluster/feeder.hpp"
#include "store/event_log.hpp"
#include "tests/fixtures/scratch.hpp"

namespace brewery::bench {

class rig {
public:
  explicit rig(bool durable);
  ~rig();
  rig(const rig&) = delete;
  rig& operator=(const rig&) = delete;

  /// To be completed with numbers of jobs.
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
  std::unique_ptr<runtime> machine_;
  journal_actor journal_;
  ledger_actor ledger_;
};

} // namespace brewery::bench
