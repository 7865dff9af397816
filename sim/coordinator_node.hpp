#pragma once
/// A simulated coordinator process: the real job table, links, memo, phase
/// machine and trees, wired as the actors wire them, over a simulated log. What
/// `durable_log` holds survives a crash, everything else is lost.

#include "actors/job_memo.hpp"
#include "cluster/facts.hpp"
#include "cluster/worker_link.hpp"
#include "coordinator/phases.hpp"
#include "sim/network.hpp"

#include <deque>
#include <set>

namespace brewery::simulated {

struct log_row {
  std::string kind, key, payload;
  bool operator==(const log_row&) const = default;
};

struct durable_log {
  std::vector<log_row> rows;
  std::set<std::string> results; ///< ids of the jobs that have one
  std::uint64_t epoch = 0;
};

/// The result of a search, to be held against the undisturbed one.
struct final_state {
  std::vector<doc_ref> documents;
  std::vector<gather_record> gathers;
  bool operator==(const final_state&) const = default;
};

/// What a node may do to its world.
struct node_port {
  std::function<instant()> now; ///< the node's own clock
  std::function<void(instant, std::function<void()>)> after;
  std::function<void(node_number, const wire::message&)> send;
  std::function<void(std::string)> violated; ///< an invariant does not hold
};

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
  /// Of the log: commits fail while set.
  void set_disk_full(bool full) { disk_full_ = full; }
  /// A crash may find the batch that was being written on disk or not.
  void lose_memory(bool batch_made_it);

  [[nodiscard]] const std::optional<final_state>& outcome() const {
    return outcome_;
  }
  [[nodiscard]] const job_table& table() const { return table_; }
  [[nodiscard]] std::string state() const;

private:
  struct peer {
    worker_link link;
    worker_id worker;
  };
  struct waiting_ack {
    worker_id worker;
    lease_key key;
  };

  void hello(node_number from, const worker_hello& message);
  void result(node_number from, peer& who, const result_report& message);
  void heartbeat(node_number from, peer& who, const worker_heartbeat& message);
  void goodbye(node_number from, peer& who, const worker_goodbye& message);
  void leave(node_number from, job_table::departure how);
  void dispatch();
  void cancel(const std::vector<revoked_lease>& leases);
  void give_up(const std::vector<quarantined_job>& jobs);
  void submit(const job& work);
  void keep(job_result answer);
  void append(log_row row);
  void commit();
  void committed(const log_row& row);
  void acknowledge(const job_id& job);
  void feed();
  void apply(phase_step step);
  void apply(search_step step);
  void carry_out_waiting();
  void carry_out(phase_step step);
  /// Whether what follows it must wait for the log.
  bool put_on_record(const gather_record& gathered);
  void go_on(const phase_step& step);
  void recorded();
  peer* peer_of(worker_id worker);

  node_port port_;
  cluster_options options_;
  std::shared_ptr<const brew_settings> settings_;
  durable_log& log_;
  rng draw_;
  bool disk_full_ = false;
  bool committing_ = false;
  std::vector<log_row> batch_, next_batch_;

  job_table table_;
  std::uint64_t next_session_ = 0;
  std::map<node_number, peer> peers_;
  std::map<worker_id, node_number> nodes_;
  std::map<job_id, job> jobs_; ///< submitted and not done
  std::map<job_id, std::vector<waiting_ack>> acks_;
  std::set<std::uint64_t> granted_; ///< attempts: none twice
  job_memo<int> memo_;
  std::shared_ptr<document_store> documents_;
  std::unique_ptr<brew_phases> phases_;
  std::map<concept_id, std::unique_ptr<concept_search>> trees_;
  std::vector<gather_record> gathers_;
  std::deque<phase_step> steps_;        ///< to be carried out
  std::optional<phase_step> recording_; ///< they wait for its record
  bool carrying_out_ = false;
  std::vector<job_result> to_feed_;
  bool feeding_ = false;
  std::optional<final_state> outcome_;
};

} // namespace brewery::simulated
