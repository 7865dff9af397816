#pragma once
/// A simulated worker process: the real session, slots that take simulated
/// time, jobs that ask models and graders in their middle, and a spool that
/// outlives the process.

#include "base/rng.hpp"
#include "cluster/worker_session.hpp"
#include "sim/node.hpp"

#include <deque>

namespace brewery::simulated {

/// What a worker leaves on disk. Entries are whole: a torn one cannot be read.
using simulated_spool = std::map<std::pair<run_id, job_id>, spooled_result>;

struct worker_habits {
  std::uint32_t slots = 1;
  double pace = 1;           ///< 0.1: jobs take a tenth
  double stalls = 0.03;      ///< jobs that take eight times as long
  double hangs = 0.003;      ///< jobs that never end
  bool flaky = false;        ///< some jobs fail on it
  bool asks_models = false;  ///< its jobs ask language models
  bool asks_graders = false; ///< its rollouts ask for their grade
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
  [[nodiscard]] microseconds tick_every() const {
    return session_.tick_every();
  }
  /// The longest time that a running job has waited for an answer.
  [[nodiscard]] microseconds longest_wait() const;

private:
  using job_key = std::pair<run_id, job_id>;
  struct episode {
    job work;
    std::uint64_t run = 0; ///< the number of this execution
    microseconds began{0};
    std::uint32_t calls = 0; ///< model calls answered so far
    microseconds segment{0}; ///< working time between questions
    /// Since when the job waits for a model or a grader.
    std::optional<microseconds> asked_at;
  };

  void carry_out(worker_step step);
  void begin_job(const lease_grant& grant);
  void begin_waiting();
  void give_back();
  void play(const lease_grant& grant);
  microseconds draw_duration();
  void work_on(const job_key& key);
  void go_on(const job_key& key);
  void ask_model(const run_id& run, episode& one);
  void ask_grader(const run_id& run, episode& one);
  void hear(const model_reply& reply);
  void hear(const grade_reply& reply);
  episode* asker_of(const job_key& key);
  void end_job(const job_key& key, const std::string& error = {});

  node_port port_;
  worker_habits habits_;
  simulated_spool& spool_;
  rng draw_;
  worker_session session_;
  bool has_setup_ = false;
  std::vector<lease_grant> without_setup_;
  struct waiting_job {
    lease_grant grant;
    microseconds since{0};
  };
  std::deque<waiting_job> waiting_; ///< for a slot
  std::map<job_key, episode> running_;
  std::uint64_t next_run_ = 0;
  bool left_ = false;
  bool told_to_leave_ = false;
};

} // namespace brewery::simulated
