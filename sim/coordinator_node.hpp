#pragma once
/// A simulated coordinator process. It runs the cores of the real actors (pool,
/// ledger, a proxy for each worker) and a search, over a simulated log and
/// simulated models. It carries out the cores' orders as the actors do, and
/// checks them against the invariants.

#include "cluster/ledger/ledger_core.hpp"
#include "cluster/pool_core.hpp"
#include "cluster/worker_proxy.hpp"
#include "sim/mailboxes.hpp"
#include "sim/search_node.hpp"
#include "sim/simulated_models.hpp"

namespace brewery::simulated {

inline const run_id the_run{"simulated"};

/// Addresses of the coordinator's actors. Proxies are numbered from
/// `first_proxy`.
inline constexpr address pool_address = 1, ledger_address = 2, disk_address = 3,
                         models_address = 4, search_address = 5,
                         gateway_address = 6, acceptor_address = 7,
                         first_proxy = 100;

class coordinator_node {
public:
  coordinator_node(node_port port, const cluster_options& options,
                   std::shared_ptr<const brew_settings> settings,
                   durable_log& log, std::uint64_t seed);

  void start();
  void receive(node_number from, const wire::message& message);
  void tick();
  /// The worker's connection broke.
  void disconnected(node_number worker);
  /// Whether it can know who is allowed. If not, new peers are to try again.
  void set_keys_readable(bool readable) { keys_readable_ = readable; }
  [[nodiscard]] simulated_disk& disk() { return disk_; }
  [[nodiscard]] simulated_models& models() { return models_; }

  [[nodiscard]] const std::optional<final_state>& outcome() const {
    return search_.outcome();
  }
  [[nodiscard]] const job_table& table() const { return pool_.table(); }
  [[nodiscard]] std::string state() const;

private:
  struct peer {
    node_number node = 0;
    worker_proxy core;
    std::set<question_place> open;  ///< questions passed on
    std::set<std::uint64_t> failed; ///< attempts reported as failed
  };
  struct waiter {
    address who = 0;
    std::function<void(const result<job_result>&)> tell;
  };

  void greet(node_number from, const worker_hello& message);
  void join(address proxy);
  void end(address proxy);
  void beat(address proxy);
  void check(address proxy);
  /// Calls `what` with the proxy, if it exists by then.
  void to_proxy(address from, address proxy,
                std::function<proxy_step(worker_proxy&)> what);

  void carry_out(address proxy, proxy_step step);
  void send(peer& who, const wire::message& message);
  void ask_models(address proxy, peer& who, const model_question& asked);
  void ask_grader(address proxy, peer& who, grade_question asked);
  void to_pool(address from, std::function<pool_step()> what);
  void carry_out(pool_step step);
  void order(worker_id worker, worker_order order);
  void to_ledger(address from, std::function<ledger_step()> what);
  void submit(address from, const job& work, waiter who);
  void carry_out(ledger_step step);
  void append(log_append event);
  [[nodiscard]] bool in_log(const job_id& job) const {
    return log_.results.contains(job.value);
  }

  node_port port_;
  cluster_options options_;
  durable_log& log_;
  mailboxes mail_;
  simulated_disk disk_;
  simulated_models models_;
  pool_core pool_;
  ledger_core ledger_;
  search_node search_;

  bool keys_readable_ = true;
  std::uint32_t sessions_ = 0;
  std::map<address, peer> proxies_;
  std::map<node_number, address> lines_; ///< peer -> its proxy
  std::map<worker_id, address> members_;
  std::uint64_t next_asker_ = 0;
  std::map<asker_id, job_id> running_; ///< the ledger's requests to the pool
  std::map<asker_id, waiter> waiting_; ///< those who wait for the ledger
  std::set<std::uint64_t> granted_;    ///< attempts; none may repeat
  std::set<job_id> made_;              ///< results; none may count twice
};

} // namespace brewery::simulated
