#pragma once
/// The job table: all jobs that are not done, all workers, and the leases
/// between them. Owned by the pool actor; the simulator drives the same code.
/// PURE.
///
/// A job is queued, then leased (to one worker, or to two when it looks stuck),
/// then delivered (the result counts, but the journal does not have it yet),
/// then gone. The first valid result wins; all other leases of the job are
/// revoked. A message under a key that is not a live lease is stale and changes
/// nothing.
///
/// Order: runs by priority, then by the work they got per weight (weighted
/// fair queueing over predicted durations). Within a run, jobs for which a
/// slot waits go first, then those that lost their worker, those for which the
/// next stage of a tree waits, and those with the longest prediction, together
/// with what can only begin after them; ties go in order of submission. A
/// worker gets no more jobs than it has free slots, and once no slot is free,
/// some short ones ahead: while it does them, nobody has to be woken for each
/// (job_ahead.cpp, ADR 0056).
///
/// There are three separate budgets. A *failure* is the job's own (it could not
/// be done): after `max_failures` on different workers the job is quarantined.
/// A *crash* is a worker that died with the job in hand: it does not count as a
/// failure, but `max_crashes` of them quarantine the job too. A worker whose
/// jobs fail in a row while others succeed is *suspended*, and its failures are
/// taken off the jobs again. If all workers fail, the jobs are to blame.

#include "cluster/table/duration_estimator.hpp"
#include "messages/cluster_msgs.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace brewery {

/// The number of a worker's session; 0 means none.
using worker_id = strong_id<struct worker_tag, std::uint64_t>;

/// What a worker must offer to get the job.
struct job_needs {
  job_kind kind = job_kind::rollout;
  std::string benchmark; ///< fingerprint; empty: none
  std::set<std::string> tags{};
  bool operator==(const job_needs&) const = default;
  /// By the kind's name: lists of jobs for people are in this order.
  auto operator<=>(const job_needs& other) const {
    const auto first =
        std::pair{to_string(kind), std::string_view{benchmark}}
        <=> std::pair{to_string(other.kind), std::string_view{other.benchmark}};
    return first != 0 ? first : tags <=> other.tags;
  }
};

struct job_spec {
  job_id id;
  job_needs needs;
  /// Jobs with equal keys take about as long, e.g. those of one task.
  std::string duration_key;
  /// What waits for it. Jobs that more waits for go first within their run:
  /// those that hold a slot elsewhere until they are done, then by the stages
  /// of their search that cannot begin before.
  std::uint32_t stages_after = 0;
  bool holds_slot = false;
  /// Keys of jobs of its kind that cannot begin before it is done, if they ever
  /// do, wave after wave. Of jobs of one stage the one goes first that begins
  /// the longest chain. Read when it is submitted, and not kept.
  std::vector<std::vector<std::string>> then{};
};

struct worker_spec {
  std::string name;
  std::string incarnation;
  std::string host;
  std::uint32_t slots = 1;
  std::set<job_kind> kinds;
  std::set<std::string> benchmarks; ///< fingerprints; "*": any
  std::set<std::string> tags{};
  /// By fingerprint: at most so many of its rollouts at once.
  std::map<std::string, std::uint32_t> slots_for{};
  std::set<std::string> benchmark_names{}; ///< of `benchmarks`, for people
};

struct run_share {
  double weight = 1;         ///< among equal priorities; > 0
  std::int32_t priority = 0; ///< higher goes first
};

/// A lease that ended without its result. The worker has to be informed.
struct revoked_lease {
  worker_id worker;
  lease_key key;
};

struct granted_lease {
  worker_id worker;
  lease_key key;
  bool backup = false;
  microseconds waited{0}; ///< time in the queue
};

/// A job that was given up, with the reason.
struct quarantined_job {
  run_id run;
  job_id job;
  std::string reason;
};

struct finish_outcome {
  enum class kind {
    accepted,    ///< the result counts
    stale,       ///< no live lease: refused
    retried,     ///< failed; queued again, unless it still runs elsewhere
    quarantined, ///< failed too often: `given_up`
  };
  kind what = kind::stale;
  bool queued = false;                ///< of `retried`: nobody else does it now
  microseconds spent{0};              ///< time since the lease was granted
  std::vector<revoked_lease> revoked; ///< other leases of the job
  std::vector<quarantined_job> given_up;
};

/// A worker as `brewery workers` shows it.
struct worker_view {
  worker_id id;
  worker_spec spec;
  std::uint32_t leases = 0; ///< some may be ahead of its slots
  std::uint32_t busy = 0;   ///< slots
  bool draining = false;
  bool suspended = false;
  std::string last_error;
  std::uint64_t done = 0, failed = 0;
};

/// The jobs of one kind of a run.
struct run_load {
  run_id run;
  job_kind kind = job_kind::rollout;
  std::string benchmark{}; ///< of the run, by name; the table leaves it empty
  std::size_t queued = 0, running = 0;
  std::uint64_t done = 0;
};

struct table_counts {
  std::size_t queued = 0, leased = 0, delivered = 0;
  std::size_t quarantined = 0; ///< of open runs
  std::size_t slots = 0, busy = 0;
  std::uint64_t stale = 0, expired = 0;
  std::uint64_t backups = 0, backups_won = 0, backups_lost = 0;
  std::uint64_t adopted = 0;
  std::uint64_t ahead = 0; ///< leases to workers without a free slot
};

class job_table {
public:
  /// `epoch` is the coordinator's; it grows at every start.
  job_table(const cluster_options& options, std::uint64_t epoch);

  // -- runs --
  /// `given_up`: so many of its jobs were given up before, says its log.
  void open_run(const run_id& run, run_share share = {},
                std::size_t given_up = 0);
  /// From now on. Nothing is owed to the run or by it from the time before.
  void set_share(const run_id& run, run_share share);
  /// Drops the run's queued jobs. Returns its leases, which must be
  /// cancelled.
  std::vector<revoked_lease> close_run(const run_id& run);
  /// Drops queued jobs without a lease; leases continue. Returns the dropped
  /// jobs.
  std::vector<job_id> drop_queued(const run_id& run);

  // -- jobs --
  /// A job may be submitted again only after it is gone. Returns false if its
  /// result is already delivered and waits for the journal.
  bool submit(const run_id& run, job_spec job, microseconds now);
  /// Removes a job whose result is journalled, or never will be.
  void forget(const run_id& run, const job_id& job);

  // -- workers --
  /// A second session of the same incarnation ends the first; see `replaced`.
  worker_id join(worker_spec spec, microseconds now);
  /// The current session of this incarnation.
  [[nodiscard]] std::optional<worker_id>
  session_of(const std::string& incarnation) const;
  enum class departure {
    crashed,  ///< its connection broke: its jobs count a crash
    expired,  ///< silent: paused or cut off, may come back
    replaced, ///< it has a new session
    left,     ///< said goodbye
  };
  /// Ends the worker's leases. Its jobs return to the front of the queue.
  std::vector<quarantined_job> leave(worker_id worker, departure how,
                                     microseconds now);
  void drain(worker_id worker);
  /// A worker that holds this job asks to keep it. It gets a new lease, unless
  /// nobody wants the job any more. After a restart of the coordinator, a job
  /// that is not submitted yet is kept until it is.
  struct adoption {
    lease_key key;
    bool delivered = false; ///< its result is on the way to the journal
  };
  std::optional<adoption> adopt(worker_id worker, const run_id& run,
                                const job_id& job, microseconds now);
  /// Ends the lease and queues the job again, without counting a failure.
  void give_back(worker_id worker, const lease_key& key, microseconds now);
  /// What a worker says of a job that it ended.
  struct ending {
    std::string error{};    ///< empty: there is a result
    bool is_final = false;  ///< the error gives the job up, whatever its budget
    microseconds played{0}; ///< its time on a slot; 0: not said
  };
  finish_outcome finish(worker_id worker, const lease_key& key,
                        const ending& how, microseconds now);

  // -- time --
  /// Short jobs are expected to take less.
  static constexpr std::chrono::milliseconds short_job{25};
  /// A worker gets some ahead while what it has keeps its slots busy for less.
  static constexpr std::chrono::milliseconds ahead_for{50};
  static constexpr std::uint32_t ahead_max = 64; ///< of a worker
  /// Grants leases now. Returns them; each is live from here on.
  std::vector<granted_lease> assign(microseconds now);
  /// Ends suspensions, ends jobs beyond their limit, and looks for stuck jobs.
  /// Call `assign` afterwards.
  struct overdue {
    std::vector<revoked_lease> revoked;
    std::vector<quarantined_job> given_up;
  };
  overdue tick(microseconds now);
  /// Of runs whose log cannot be written no job is granted; of no run at all
  /// where `full` is one whose disk is full, which they share.
  void pause(std::set<run_id> stuck, std::optional<run_id> full) {
    stuck_logs_ = std::move(stuck);
    disk_full_for_ = std::move(full);
  }
  [[nodiscard]] bool paused() const { return disk_full_for_.has_value(); }

  // -- views --
  [[nodiscard]] const table_counts& counts() const { return counts_; }
  [[nodiscard]] std::vector<worker_view> workers() const;
  [[nodiscard]] const std::deque<quarantined_job>& quarantine() const {
    return quarantine_;
  }
  /// Whether the key is a live lease of this worker.
  [[nodiscard]] bool holds(worker_id worker, const lease_key& key) const;
  /// The time at which the oldest live lease was granted.
  [[nodiscard]] std::optional<microseconds> oldest_lease() const;
  /// Of each open run and kind of job that it has asked for.
  [[nodiscard]] std::vector<run_load> loads() const;
  /// What people call the benchmark of a run's rollouts.
  using benchmark_name_of = std::function<std::string(const run_id&)>;
  /// One line per reason why jobs are queued; empty if none is queued.
  [[nodiscard]] std::vector<std::string>
  why_waiting(const benchmark_name_of& name_of = {}) const;

private:
  struct run_state;
  struct lease {
    worker_id worker;
    std::uint64_t attempt = 0;
    microseconds since{0};
    bool backup = false;
    bool ahead = false; ///< there was no free slot
  };
  enum class job_state : std::uint8_t { queued, leased, delivered };
  struct job_entry {
    job_spec spec;
    run_state* owner = nullptr;
    job_state state = job_state::queued;
    bool submitted = true; ///< false: adopted before it was requested
    std::uint64_t order = 0;
    microseconds predicted{0}; ///< of the job alone
    microseconds chain{0};     ///< with the longest job of each wave after it
    bool guessed = false;      ///< there was no duration to predict from
    /// Charged to its run until the lease ends.
    microseconds charged{0};
    double charged_weight = 0; ///< its run's when the lease was granted
    microseconds queued_at{0};
    std::vector<lease> leases; ///< empty unless `state` is leased
    /// Worker name and reason of each failure.
    std::vector<std::pair<std::string, std::string>> failures;
    std::vector<std::string> crashes; ///< incarnations of the workers that died
    bool first_in_line = false;       ///< it lost a lease
    microseconds retry_at{0}; ///< when a worker that failed it may try again
    bool blamed = false;      ///< it failed before: workers may remember it
    /// Known when it was leased, of jobs like it; 0: nothing.
    microseconds expected{0};
    [[nodiscard]] bool is_short() const { return takes_little(expected); }
  };
  struct goes_first {
    bool operator()(const job_entry* a, const job_entry* b) const;
  };
  using job_queue = std::set<job_entry*, goes_first>;
  struct run_state {
    run_id id;
    run_share share;
    double work_per_weight = 0; ///< virtual time
    std::unordered_map<job_id, job_entry> jobs;
    std::map<job_needs, job_queue> queues;
    std::map<job_kind, std::uint64_t> done;
    std::vector<job_entry*> retries; ///< queued jobs that failed somewhere
    std::size_t queued = 0;
    std::size_t given_up = 0; ///< jobs, over all of its resumes
  };
  struct worker_state {
    worker_spec spec;
    std::size_t worker_class = 0;
    std::set<std::pair<run_state*, job_entry*>> leases;
    bool draining = false;
    std::set<job_entry*> failed_lately; ///< jobs failed since the last success
    microseconds suspended_until{0};
    std::uint32_t suspensions = 0;
    std::string last_error;
    std::uint64_t done = 0, failed = 0;
    std::uint64_t turn = 0; ///< a counter: when it last got a job
    /// Leases of the benchmarks in `spec.slots_for`.
    std::map<std::string, std::uint32_t> taken;
    duration_mean played;          ///< its jobs lately, where it says so
    std::uint32_t long_leases = 0; ///< of jobs that are not short
    microseconds in_hand{0};       ///< what its leases are expected to take
  };
  using ready_list =
      std::set<std::tuple<std::uint32_t, std::uint64_t, worker_id>>;
  /// Workers that can do the same jobs. `ready` lists those with a free slot:
  /// least busy first, then longest without a job. `ready_for` lists those of
  /// them with a free slot for a benchmark that has slots of its own. `ahead`
  /// lists those that have none, but take more jobs.
  struct worker_class {
    std::set<job_kind> kinds;
    std::set<std::string> benchmarks;
    std::set<std::string> tags;
    std::size_t workers = 0; ///< connected; one without any is made anew
    ready_list ready;
    std::map<std::string, ready_list> ready_for;
    ready_list ahead;
    [[nodiscard]] bool can(const job_needs& needs) const;
    [[nodiscard]] const ready_list& list_for(const job_needs& needs) const;
  };

  [[nodiscard]] microseconds predicted_after(const job_spec& spec) const;
  void enqueue(job_entry& job, microseconds now);
  void dequeue(job_entry& job);
  lease_key grant(job_entry& job, worker_id worker, bool backup,
                  microseconds now);
  std::optional<lease> end_lease(job_entry& job, worker_id worker);
  void erase(job_entry& job);
  void requeue_or_erase(job_entry& job, microseconds now);
  quarantined_job quarantine(job_entry& job, std::string reason);
  bool out_of_retries(const job_entry& job) const;
  bool untried(const job_entry& job, const worker_state& worker) const;
  bool anyone_untried(const job_entry& job) const;
  bool another_does_well(const worker_state& than, const job_entry& job) const;
  void count_failure(worker_id id, worker_state& worker, job_entry& job,
                     const std::string& error, microseconds now);
  void set_ready(worker_id id, bool ready);
  void take_slot(worker_id id, job_entry& job);
  void free_slot(worker_id id, job_entry& job);
  [[nodiscard]] std::string
  why_none_is_able(const job_needs& needs, const std::string& benchmark) const;
  [[nodiscard]] std::string why_paused(const run_id& run) const;
  [[nodiscard]] bool usable(const worker_state& worker) const;
  std::size_t worker_class_of(const worker_spec& spec);
  void charge(run_state& run, job_entry& job);
  static void charge_spent(job_entry& job, microseconds spent);
  static void charge_lost(job_entry& job, const lease& ended, microseconds now);
  static void add_work(run_state& run, microseconds spent, double weight);
  std::vector<run_state*> runs_in_order();
  granted_lease grant_queued(job_entry& job, worker_id worker,
                             microseconds now);
  std::optional<granted_lease> next_grant(microseconds now);
  std::optional<granted_lease> next_ahead(microseconds now);
  [[nodiscard]] microseconds expected_of(const job_spec& job) const;
  [[nodiscard]] static bool takes_little(microseconds expected) {
    return expected > microseconds{0} && expected < short_job;
  }
  [[nodiscard]] bool may_go_ahead(const job_entry& job) const;
  [[nodiscard]] static bool takes_ahead(const worker_state& worker);
  std::optional<granted_lease> from_retries(run_state& run, microseconds now);
  std::optional<granted_lease> from_queues(run_state& run, microseconds now);
  std::optional<worker_id> ready_for(const job_needs& needs) const;
  std::optional<granted_lease> next_backup(microseconds now);
  void find_stuck(microseconds now);
  static const lease& lease_of(const job_entry& job, std::uint64_t attempt);
  overdue end_overdue(microseconds now);
  job_entry* find(const run_id& run, const job_id& job);
  [[nodiscard]] bool backups_pay() const;

  cluster_options options_;
  std::uint64_t epoch_;
  std::set<run_id> stuck_logs_;         ///< runs whose log cannot be written
  std::optional<run_id> disk_full_for_; ///< one of them
  std::uint64_t next_attempt_ = 0;
  std::uint64_t next_order_ = 0;
  std::uint64_t next_worker_ = 0;
  std::uint64_t next_turn_ = 0;
  duration_estimator durations_;
  std::map<run_id, run_state> runs_;
  /// By priority: the virtual time of the run served furthest.
  std::map<std::int32_t, double> served_;
  std::unordered_map<worker_id, worker_state> workers_;
  std::unordered_map<std::string, worker_id> incarnations_;
  std::vector<worker_class> worker_classes_;
  /// The jobs of live leases, by attempt: the oldest lease first. Looking at
  /// all leases several times a second would cost most with many slots.
  std::map<std::uint64_t, job_entry*> leased_;
  std::vector<std::pair<run_id, job_id>> stuck_; ///< oldest first
  std::size_t live_backups_ = 0;
  std::deque<quarantined_job> quarantine_;
  table_counts counts_;
};

} // namespace brewery
