#pragma once
/// A simulated worker process: the real session, slots that take simulated
/// time, a spool that outlives it.

#include "cluster/worker_session.hpp"
#include "sim/coordinator_node.hpp"

namespace brewery::simulated {

/// What a worker leaves on disk: whole entries; a torn one is not read back.
using simulated_spool = std::map<std::pair<search_id, job_id>, spooled_result>;

struct worker_habits {
  std::uint32_t slots = 1;
  double stalls = 0.03; ///< jobs that take eight times as long
  double hangs = 0.003; ///< jobs that never end
  bool flaky = false;   ///< some jobs fail on it
};

class worker_node {
public:
  worker_node(node_port port, const cluster_options& options,
              worker_profile profile, const worker_habits& habits,
              simulated_spool& spool, std::uint64_t seed);

  void start();
  void receive(const wire::message& message);
  void tick();
  void terminate(); ///< SIGTERM
  [[nodiscard]] bool left() const { return left_; }
  [[nodiscard]] const worker_session& session() const { return session_; }
  [[nodiscard]] instant tick_every() const { return session_.tick_every(); }

private:
  using job_key = std::pair<search_id, job_id>;
  void carry_out(worker_step step);
  void begin_job(const lease_grant& grant);
  void end_job(const job_key& key, const job& work, std::uint64_t run);

  node_port port_;
  worker_habits habits_;
  simulated_spool& spool_;
  rng draw_;
  worker_session session_;
  bool has_setup_ = false;
  std::vector<lease_grant> without_setup_;
  std::map<job_key, std::uint64_t> running_; ///< and the number of the run
  std::uint64_t next_run_ = 0;
  bool left_ = false;
};

} // namespace brewery::simulated
