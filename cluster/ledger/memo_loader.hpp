#pragma once
/// Builds what is known about a run's jobs from its log, event by event: the
/// fold of the events. Used by all readers of a log. PURE.

#include "base/result.hpp"
#include "cluster/ledger/job_memo.hpp"

#include <string_view>

namespace brewery {

/// The kind of an event that orders a retry of a job that was given up. Its key
/// is the job's id.
inline constexpr std::string_view retry_event = "retry";

/// The same for a job with a result: a rollout whose environment broke.
inline constexpr std::string_view retry_result_event = "retry_result";

/// The verdict on a job that was given up, in place of a result: found without
/// decoding results.
inline constexpr std::string_view verdict_event = "verdict";

/// How a job's rollout differs from one that could stand for it; empty: not.
inline constexpr std::string_view reuse_check_event = "reuse_check";

/// Revokes the record and the final evaluation of a run that is extended.
void forget_shorter_run(memo_content& known);

/// Whether what an arm came to counts. It does no more if the run is extended,
/// or failed attempts are tried again, until it is measured anew.
bool still_holds(const memo_content& known, const std::string& arm);

class memo_loader {
public:
  /// Takes the next event. The payload of a result is not decoded. An event of
  /// kind `retry_event` makes its job not done, and revokes all decisions made
  /// since its result. A second `run_record` extends the run.
  result<void> take(std::uint64_t event, std::string_view kind,
                    const std::string& key, const std::string& payload);

  [[nodiscard]] const memo_content& known() const { return known_; }
  [[nodiscard]] memo_content content() && { return std::move(known_); }

  /// The event of the last decision of a search that holds; 0: there is none.
  [[nodiscard]] std::uint64_t last_search_decision() const;
  /// The event of a decision that holds, by kind/key; 0: there is none.
  [[nodiscard]] std::uint64_t decided_at(const std::string& decision) const;
  /// The event at which a job was given up; 0: it was not.
  [[nodiscard]] std::uint64_t given_up_at(const job_id& job) const;

private:
  void retry(const job_id& job);
  void retry_result(const job_id& job);
  void revoke_since(std::uint64_t event);

  memo_content known_;
  std::map<std::string, std::uint64_t> decided_at_;
  std::map<job_id, std::uint64_t> given_up_at_;
};

} // namespace brewery
