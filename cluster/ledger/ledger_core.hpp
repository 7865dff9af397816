#pragma once
/// The decisions of a run's ledger: whether a job is answered from the log, is
/// under way, or must be run; when a result counts (once it is journalled);
/// whether a decision contradicts the log. Owned by the ledger actor; the
/// simulator drives the same code. PURE.

#include "cluster/ledger/job_memo.hpp"
#include "cluster/worker_orders.hpp"
#include "messages/insight_store.hpp"

#include <deque>
#include <optional>
#include <unordered_map>

namespace brewery {

/// An event to append. Once it is on disk, or has failed, the owner calls
/// `journalled` for a result and `decided` for a decision.
struct log_append {
  std::string kind, key, payload;
  /// The asker of the decision; empty: a result.
  std::optional<asker_id> decision;
  bool compressed = false; ///< `payload` is (base/compression.hpp)
};

/// A result to read from the log. The owner then calls `recalled`.
struct log_recall {
  asker_id asker;
  std::uint64_t event = 0;
};

struct recorded_decision {
  asker_id asker;
  result<void> outcome;
};

/// What the owner must do, in the order of the members.
struct ledger_step {
  std::vector<job> run;        ///< by the pool; its answer goes to `ran`
  std::vector<job_id> settled; ///< journalled: the pool is informed
  std::vector<log_append> append;
  std::vector<log_recall> recall;
  std::vector<answered_job> answers;
  std::vector<recorded_decision> recorded;
  std::vector<asker_id> drained;
  // For metrics: new results, each once, without trajectories.
  std::vector<job_result> made;
  std::vector<job_result> recalled; ///< read from the log
  std::size_t answered = 0;         ///< askers that got their result
  std::size_t from_log = 0;         ///< of these, without any work
};

class ledger_core {
public:
  /// `kept_once`: what it asks to run comes with insights that somebody else
  /// keeps once, for several runs.
  explicit ledger_core(memo_content known = {}, bool kept_once = false)
      : memo_(std::move(known)), kept_once_(kept_once) {}

  /// `asker` gets exactly one answer.
  ledger_step submit(job work, asker_id asker);
  /// The pool's answer to a job that it was asked to run.
  ledger_step ran(const job_id& job, result<packed_result> answer);
  /// A result that nobody in this process has requested yet.
  ledger_step offered(packed_result answer);
  ledger_step record(std::string kind, std::string key, std::string payload,
                     asker_id asker);

  /// `event` is the number of the result's event; 0 from a journal that stores
  /// nothing.
  ledger_step journalled(const job_id& job, const result<std::uint64_t>& event);
  ledger_step decided(asker_id asker, const result<std::uint64_t>& event);
  ledger_step recalled(asker_id asker, const result<std::string>& payload);

  /// The event of a job's result; empty: the log does not have it.
  [[nodiscard]] std::optional<std::uint64_t> event_of(const job_id& job) const {
    return memo_.event_if_logged(job);
  }

  /// Accepts no new jobs from now on: their answer is ec::cancelled.
  void stop() { stopped_ = true; }
  /// `asker` gets an answer when all results under way are journalled. Forgets
  /// the insights that nobody else holds.
  ledger_step drain(asker_id asker);
  /// The pool or the journal has died: all that waits fails with the reason.
  ledger_step lost(const std::string& who, const error& reason);

private:
  struct recall_under_way {
    std::uint64_t event = 0;
    job work;
  };

  void keep(ledger_step& out, packed_result answer, bool kept_once);
  void remember(const job_result& brief);
  void give_up(ledger_step& out, const job_id& job, const error& reason);
  void check_drained(ledger_step& out);

  job_memo<asker_id> memo_;
  insight_store insights_; ///< of the results that were handed out
  bool kept_once_ = false;
  /// The latest results in the log: several trees ask for a rollout, one soon
  /// after the other.
  std::unordered_map<job_id, job_result> recent_;
  std::deque<job_id> recent_order_;
  /// Appended; without trajectories.
  std::unordered_map<job_id, job_result> journalling_;
  std::map<asker_id, recall_under_way> recalling_;
  std::vector<asker_id> drains_;
  bool stopped_ = false;
};

} // namespace brewery
