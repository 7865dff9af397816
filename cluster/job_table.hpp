#pragma once
/// Every job that is not done yet and every worker: who may run what. Owned by
/// the pool actor; the simulator drives the same code. PURE.
///
/// A job is queued, leased (to one worker, or two when it looks stuck), then
/// delivered (a result counts, the journal does not have it yet), then gone.
/// First valid result wins; every other lease of the job is revoked. What
/// arrives under a key that is not a live lease is stale and changes nothing.
///
/// Order: searches by priority, then by the work they got per weight (weighted
/// fair queueing over predicted durations); in a search the longest predicted
/// job first, ties in order of submission. A worker gets no more jobs than it
/// has free slots.
///
/// Three budgets are kept apart. A *failure* is the job's own (it could not be
/// done): after `max_failures` on different workers it is quarantined. A
/// *crash* is a worker that died with the job in hand: it spends nothing of the
/// former, but `max_crashes` of them quarantine it too. A worker whose jobs
/// fail in a row while others do well is suspended, and its failures are taken
/// off the jobs again; where all workers fail, it is the jobs.

#include "cluster/paces.hpp"
#include "messages/cluster_msgs.hpp"

#include <deque>
#include <map>
#include <optional>
#include <set>

namespace brewery {

/// A worker's session, by number; 0 is none.
using worker_id = strong_id<struct worker_tag, std::uint64_t>;

/// What a worker must offer to be given the job.
struct job_needs {
  std::string role;      ///< "rollout", "integrate", "embed", "grade"
  std::string benchmark; ///< fingerprint; empty: none
  auto operator<=>(const job_needs&) const = default;
};

struct job_facts {
  job_id id;
  job_needs needs;
  std::string pace;    ///< jobs of equal pace take about as long, e.g. a task
  bool urgent = false; ///< a slot elsewhere waits for it: before all others
};

struct worker_facts {
  std::string name;
  std::string incarnation;
  std::string host;
  std::uint32_t slots = 1;
  std::set<std::string> roles;
  std::set<std::string> benchmarks; ///< fingerprints; "*": any
};

struct search_share {
  double weight = 1;         ///< of equal priorities, > 0
  std::int32_t priority = 0; ///< higher goes first
};

/// A lease that ended without its result: the worker is to be told.
struct revoked_lease {
  worker_id worker;
  lease_key key;
};

struct granted_lease {
  worker_id worker;
  lease_key key;
  bool backup = false;
  instant waited{0}; ///< in the queue
};

/// A job that was given up, and why.
struct quarantined_job {
  search_id search;
  job_id job;
  std::string reason;
};

struct finish_outcome {
  enum class kind {
    accepted,    ///< the result counts
    stale,       ///< no live lease: refused
    retried,     ///< failed, queued again
    quarantined, ///< failed too often: `given_up`
  };
  kind what = kind::stale;
  instant spent{0};                   ///< on the lease
  std::vector<revoked_lease> revoked; ///< other leases of the job
  std::vector<quarantined_job> given_up;
};

/// A worker as `brewery workers` shows it.
struct worker_view {
  worker_id id;
  worker_facts facts;
  std::uint32_t busy = 0;
  bool draining = false;
  bool suspended = false;
  std::string last_error;
  std::uint64_t done = 0, failed = 0;
};

struct table_counts {
  std::size_t queued = 0, leased = 0, delivered = 0, quarantined = 0;
  std::size_t slots = 0, busy = 0;
  std::uint64_t stale = 0, expired = 0;
  std::uint64_t backups = 0, backups_won = 0, backups_lost = 0;
  std::uint64_t adopted = 0;
};

class job_table {
public:
  /// `epoch` is the coordinator's, larger at every start.
  job_table(const cluster_options& options, std::uint64_t epoch);

  // -- searches --
  void open_search(const search_id& search, search_share share = {});
  [[nodiscard]] bool has_search(const search_id& search) const;
  /// Drops what it queued; its leases are to be cancelled.
  std::vector<revoked_lease> close_search(const search_id& search);
  /// Drops what is queued and nobody has; leases go on. Returns the jobs.
  std::vector<job_id> drop_queued(const search_id& search);

  // -- jobs --
  /// A job is submitted once; again is only allowed after it is gone. False
  /// when its result was delivered already and waits for the journal.
  bool submit(const search_id& search, job_facts job, instant now);
  /// The journal has the result, or never will: the job is gone.
  void forget(const search_id& search, const job_id& job);

  // -- workers --
  /// A second session of one incarnation ends the first; see `replaced`.
  worker_id join(worker_facts facts, instant now);
  /// The session that this incarnation has.
  [[nodiscard]] std::optional<worker_id>
  session_of(const std::string& incarnation) const;
  enum class departure {
    lost,    ///< nobody knows why: its jobs count a crash
    expired, ///< not heard of: paused or cut off, may come back
    left,    ///< said goodbye
  };
  /// Its leases end and its jobs are queued again, first in line.
  std::vector<quarantined_job> leave(worker_id worker, departure how,
                                     instant now);
  void drain(worker_id worker);
  /// A worker that holds this job asks to keep it: a new lease, unless nobody
  /// wants the job any more. A job that was not submitted yet is kept for when
  /// it is (after a restart of the coordinator).
  struct adoption {
    lease_key key;
    bool delivered = false; ///< its result is on the way to the journal
  };
  std::optional<adoption> adopt(worker_id worker, const search_id& search,
                                const job_id& job, instant now);
  /// The lease ends, the job is queued again; it was not the job's fault.
  void give_back(worker_id worker, const lease_key& key, instant now);
  finish_outcome finish(worker_id worker, const lease_key& key,
                        const std::string& error, instant now);

  // -- time --
  /// Which job goes where now; each is leased from here on.
  std::vector<granted_lease> assign(instant now);
  /// Ends suspensions and jobs beyond their limit, looks for stuck ones; then
  /// call `assign`.
  struct overdue {
    std::vector<revoked_lease> revoked;
    std::vector<quarantined_job> given_up;
  };
  overdue tick(instant now);
  /// While set, nothing is granted (the journal cannot be written).
  void pause(bool paused) { paused_ = paused; }
  [[nodiscard]] bool paused() const { return paused_; }

  // -- views --
  [[nodiscard]] const table_counts& counts() const { return counts_; }
  [[nodiscard]] std::vector<worker_view> workers() const;
  [[nodiscard]] const std::deque<quarantined_job>& quarantine() const {
    return quarantine_;
  }
  [[nodiscard]] std::size_t leases_of(worker_id worker) const;
  /// Whether the key is a live lease of this worker.
  [[nodiscard]] bool holds(worker_id worker, const lease_key& key) const;
  /// When the oldest live lease was granted.
  [[nodiscard]] std::optional<instant> oldest_lease() const;
  /// One line per reason why something is queued; empty when nothing is.
  [[nodiscard]] std::vector<std::string> why_waiting() const;

private:
  struct search_state;
  struct lease {
    worker_id worker;
    std::uint64_t attempt = 0;
    instant since{0};
    bool backup = false;
  };
  enum class job_state : std::uint8_t { queued, leased, delivered };
  struct job_entry {
    job_facts facts;
    search_state* owner = nullptr;
    job_state state = job_state::queued;
    bool submitted = true; ///< false: adopted before anyone asked
    std::uint64_t order = 0;
    instant predicted{0};
    bool guessed = false; ///< nothing was known to predict from
    instant charged{0};   ///< to its search, until its real time is known
    instant queued_at{0};
    std::vector<lease> leases;
    std::vector<std::pair<std::string, std::string>> failures; ///< name, why
    std::vector<std::string> crashes;                          ///< incarnations
    bool first_in_line = false; ///< it had a lease and lost it
    instant retry_at{0};        ///< on a worker that failed it already
    bool blamed = false;        ///< it failed once: some worker may remember it
  };
  struct goes_first {
    bool operator()(const job_entry* a, const job_entry* b) const;
  };
  using job_queue = std::set<job_entry*, goes_first>;
  struct search_state {
    search_id id;
    search_share share;
    double work_per_weight = 0; ///< virtual time
    std::unordered_map<job_id, job_entry> jobs;
    std::map<job_needs, job_queue> queues;
    std::vector<job_entry*> retries; ///< queued jobs that failed somewhere
    std::size_t queued = 0;
  };
  struct worker_state {
    worker_facts facts;
    std::size_t crew = 0;
    std::set<std::pair<search_state*, job_entry*>> leases;
    bool draining = false;
    std::set<job_entry*> failed_lately; ///< since the last success
    instant suspended_until{0};
    std::uint32_t suspensions = 0;
    std::string last_error;
    std::uint64_t done = 0, failed = 0;
    std::uint64_t turn = 0; ///< when it last got a job
  };
  /// Workers that can do the same, with those that have a free slot in order:
  /// least busy, then longest without a job.
  struct crew {
    std::set<std::string> roles, benchmarks;
    std::set<std::tuple<std::uint32_t, std::uint64_t, worker_id>> ready;
    std::size_t members = 0;
    [[nodiscard]] bool can(const job_needs& needs) const;
  };

  void enqueue(job_entry& job, instant now);
  void dequeue(job_entry& job);
  lease_key grant(job_entry& job, worker_id worker, bool backup, instant now);
  std::optional<lease> end_lease(job_entry& job, worker_id worker);
  void erase(job_entry& job);
  void requeue_or_erase(job_entry& job, instant now);
  quarantined_job quarantine(job_entry& job, std::string reason);
  bool out_of_retries(const job_entry& job) const;
  bool untried(const job_entry& job, const worker_state& worker) const;
  bool anyone_untried(const job_entry& job) const;
  bool another_does_well(const worker_state& than, const job_entry& job) const;
  void count_failure(worker_id id, worker_state& worker, job_entry& job,
                     const std::string& error, instant now);
  void set_ready(worker_id id, bool ready);
  [[nodiscard]] bool usable(const worker_state& worker) const;
  std::size_t crew_of(const worker_facts& facts);
  void charge(search_state& search, job_entry& job);
  static void add_work(search_state& search, instant spent);
  std::optional<granted_lease> next_grant(instant now);
  std::optional<granted_lease> from_retries(search_state& search, instant now);
  std::optional<granted_lease> from_queues(search_state& search, instant now);
  std::optional<worker_id> ready_for(const job_needs& needs) const;
  std::optional<granted_lease> next_backup(instant now);
  void find_stuck(instant now);
  overdue end_overdue(instant now);
  job_entry* find(const search_id& search, const job_id& job);
  [[nodiscard]] bool backups_pay() const;

  cluster_options options_;
  std::uint64_t epoch_;
  bool paused_ = false;
  std::uint64_t next_attempt_ = 0;
  std::uint64_t next_order_ = 0;
  std::uint64_t next_worker_ = 0;
  std::uint64_t next_turn_ = 0;
  paces paces_;
  std::map<search_id, search_state> searches_;
  /// By priority: the virtual time, that of the search served furthest.
  std::map<std::int32_t, double> served_;
  std::unordered_map<worker_id, worker_state> workers_;
  std::unordered_map<std::string, worker_id> incarnations_;
  std::vector<crew> crews_;
  std::vector<std::pair<search_id, job_id>> stuck_; ///< oldest first
  std::size_t live_backups_ = 0;
  std::deque<quarantined_job> quarantine_;
  table_counts counts_;
};

} // namespace brewery
