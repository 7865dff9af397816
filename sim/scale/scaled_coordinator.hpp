#pragma once
/// A coordinator as its actors wire it: the cores of pool, ledger and proxies,
/// each call measured, and a log that only takes time. One run.

#include "cluster/ledger/ledger_core.hpp"
#include "cluster/pool_core.hpp"
#include "cluster/worker_proxy.hpp"
#include "sim/event_queue.hpp"
#include "sim/scale/scale_sim.hpp"

#include <deque>

namespace brewery::simulated {

using shared_frame = std::shared_ptr<const std::string>;

class scaled_coordinator {
public:
  struct outside {
    std::function<void(std::size_t worker, shared_frame)> send;
    std::function<void(const job_result&)> answered;
  };

  /// Counts and measures into `to`, until told otherwise.
  scaled_coordinator(const scale_options& options, event_queue& time,
                     scale_traffic& to, outside calls);
  void count_into(scale_traffic& to) { to_ = &to; }

  void submit(job work);
  void receive(std::size_t from, const std::string& frame);
  void tick();
  [[nodiscard]] const table_counts& counts() const {
    return pool_.table().counts();
  }
  /// Ends the proxies: what they free was the workers'.
  void forget_workers() { proxies_.clear(); }

private:
  void greet(std::size_t from, const worker_hello& hello);
  void beat(std::size_t worker);
  void carry_out(std::size_t worker, proxy_step step);
  void carry_out(pool_step step);
  void carry_out(ledger_step step);
  void append(log_append event);
  void commit();
  void put(std::size_t worker, shared_frame frame);
  template <class F>
  auto hop(operation what, F&& call) {
    ++to_->hops;
    return to_->costs.measure(what, std::forward<F>(call));
  }

  scale_options options_;
  cluster_options cluster_;
  event_queue& time_;
  scale_traffic* to_;
  outside calls_;
  pool_core pool_;
  ledger_core ledger_;
  std::uint64_t next_asker_ = 0;
  std::uint32_t sessions_ = 0;
  std::unordered_map<std::size_t, worker_proxy> proxies_;
  std::unordered_map<worker_id, std::size_t> members_;
  std::unordered_map<asker_id, job_id> running_;
  std::vector<log_append> batch_;
  bool committing_ = false;
  std::uint64_t events_ = 0;
};

} // namespace brewery::simulated
