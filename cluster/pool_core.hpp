#pragma once
/// The decisions of the pool: which job goes to which worker (with the job
/// table), which orders each worker gets, whether a worker's answer fits, who
/// receives it, and what happens to results that nobody has requested yet.
/// Owned by the pool actor; the simulator drives the same code. PURE.
///
/// Each call returns what the owner must send. Messages to one receiver stay in
/// order.

#include "cluster/worker_orders.hpp"

#include <unordered_map>

namespace brewery {

struct opened_run {
  run_id run;
  run_share share;
  std::string benchmark;        ///< fingerprint that its rollouts require
  std::string setup;            ///< hash of its set-up, which is a blob
  std::set<std::string> tags{}; ///< that workers of its rollouts must have
  std::string benchmark_name{};
  std::size_t given_up = 0; ///< jobs, before it was opened
};

/// A result that no process has requested since the last restart. The ledger of
/// its run must journal it.
struct offered_result {
  run_id run;
  packed_result answer;
};

/// The pool's answer to a ledger.
struct finished_job {
  asker_id asker;
  result<packed_result> answer;
};

/// Of a run. A full disk is that of all runs; any other trouble is its own,
/// such as a directory that somebody removed.
enum class log_state { writable, stuck, disk_full };

/// What the owner must do, in the order of the members.
struct pool_step {
  std::vector<worker_id> left; ///< these get no more messages
  std::vector<std::pair<worker_id, worker_order>> orders;
  std::vector<finished_job> answers;
  std::vector<offered_result> offers;
  // For metrics and logs. `waited`: the time in the queue of each job that
  // starts.
  std::vector<microseconds> waited;
  std::vector<quarantined_job> given_up;
  /// Jobs that failed and are queued again.
  std::vector<std::pair<run_id, job_id>> retried;
};

struct pool_status {
  bool paused = false;      ///< the disk is full: no job of any run is granted
  std::set<run_id> stuck{}; ///< runs whose log cannot be written
  table_counts counts;
  std::vector<worker_view> workers;
  std::vector<quarantined_job> quarantine;
  std::vector<run_load> loads;
  std::vector<std::string> waiting; ///< reasons
  /// Incarnations that drain, connected or not; see `pool_core::drain`.
  std::vector<std::string> draining{};
};

class pool_core {
public:
  pool_core(const cluster_options& options, std::uint64_t epoch);

  // -- from ledgers --
  void open(opened_run about);
  pool_step set_share(const run_id& run, run_share share, microseconds now);
  /// `asker` gets exactly one answer: the result, a verdict, or ec::cancelled.
  pool_step run(const run_id& run, job work, asker_id asker, microseconds now);
  /// The journal has the job's result, from whatever source.
  pool_step journalled(const run_id& run, const job_id& job);
  /// Drops queued jobs; running jobs continue to their end.
  pool_step stop(const run_id& run);
  /// Nobody waits for the run's jobs. Workers keep results that are on their
  /// way to the journal, until they are in it, or until this is called with
  /// `journal_ended`.
  pool_step close(const run_id& run, bool journal_ended, microseconds now);
  pool_step pause(const run_id& run, log_state log, microseconds now);

  // -- from workers --
  /// Of two sessions of one incarnation, the later ends the earlier, in
  /// whatever order they ask: proxies overtake each other. Call `assign` after
  /// `step` and the answer are sent, because the answer must come before
  /// leases.
  struct joining {
    pool_step step;
    std::optional<joined_worker> answer; ///< empty: a later session has joined
  };
  joining join(worker_spec spec, std::uint64_t session,
               const std::vector<worker_job>& jobs, microseconds now);
  pool_step report(worker_id worker, worker_report what, microseconds now);
  /// Several at once: what they free is granted at once, too.
  pool_step report(worker_id worker, std::vector<worker_report> what,
                   microseconds now);
  [[nodiscard]] std::set<run_id> stuck_runs() const;
  /// The proxy ended without a message.
  pool_step lost(worker_id worker, microseconds now);

  // -- from operators and time --
  static constexpr const char* drain_reason = "an operator asked for it";
  struct draining {
    pool_step step;
    std::uint64_t workers = 0; ///< the number of workers of this name
  };
  /// The order outlives connections: it is forgotten when the process says
  /// goodbye, or was away for `drain_memory`. The incarnation of a process that
  /// is away may be named, too: it drains once it is back.
  draining drain(const std::string& name, microseconds now);
  static constexpr std::chrono::hours drain_memory{24};
  /// Of those that are away, if so many drain, the longest away is forgotten.
  static constexpr std::size_t drains_max = 10'000;
  pool_step assign(microseconds now);
  pool_step tick(microseconds now);

  [[nodiscard]] const job_table& table() const { return table_; }
  [[nodiscard]] pool_status status() const;
  [[nodiscard]] std::vector<run_load> loads() const;
  /// The reasons why jobs wait, one line each, that did not hold at any call
  /// within the last minute. Numbers do not tell two reasons of a run apart. So
  /// a reason is told once while it lasts, even if it comes and goes.
  std::vector<std::string> news_of_waiting(microseconds now);

private:
  struct asked_job {
    std::shared_ptr<const job> work;
    asker_id asker;
  };
  /// Who holds results that the journal does not have yet.
  using result_holders =
      std::unordered_map<job_id, std::vector<std::pair<worker_id, lease_key>>>;
  struct run_state {
    opened_run about;
    std::unordered_map<job_id, asked_job> jobs; ///< submitted and not answered
    result_holders unsettled;
    bool stopped = false; ///< none of its jobs is granted any more
  };

  void assign(pool_step& out, microseconds now);
  static void settle(pool_step& out, result_holders& unsettled,
                     const job_id& job);
  void stop(pool_step& out, const run_id& run);
  void stop_again(pool_step& out);
  void pause(pool_step& out, const run_id& run, log_state log,
             microseconds now);
  void leave(pool_step& out, worker_id worker, job_table::departure how,
             microseconds now);
  void take_back(pool_step& out, worker_id worker, const lease_key& key,
                 microseconds now);
  static void end_leases(pool_step& out,
                         const std::vector<revoked_lease>& leases);
  void give_up(pool_step& out, const std::vector<quarantined_job>& jobs);
  void answer(pool_step& out, run_state& run, const job_id& job,
              result<packed_result> what);
  void on(pool_step& out, worker_id worker, lease_result& what,
          microseconds now);
  void on(pool_step& out, worker_id worker, const leases_returned& what,
          microseconds now);
  void on(pool_step& out, worker_id worker, const worker_drains& what,
          microseconds now);
  void on(pool_step& out, worker_id worker, const worker_leaves& what,
          microseconds now);
  [[nodiscard]] const job* asked_for(const lease_key& key) const;
  void remember_drain(const std::string& incarnation, worker_id session,
                      microseconds now);
  void drained_left(worker_id worker, bool for_good, microseconds now);
  /// Of the jobs, and of runs whose log is stuck when none of theirs is queued:
  /// their results wait.
  [[nodiscard]] std::vector<std::string> why_waiting() const;

  job_table table_;
  std::map<run_id, run_state> runs_;
  std::map<run_id, result_holders> closing_; ///< closed; the journal goes on
  std::map<worker_id, std::uint64_t> sessions_;
  struct drained_process {
    worker_id session; ///< 0: it is away
    microseconds away_since{0};
    [[nodiscard]] bool is_away() const { return session == worker_id{}; }
  };
  /// By incarnation.
  std::map<std::string, drained_process> draining_;
  std::map<run_id, log_state> stuck_; ///< open runs with such a log
  /// Reasons without numbers, and when they last held.
  std::map<std::string, microseconds> waiting_;
};

} // namespace brewery
