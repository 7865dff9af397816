#pragma once
/// What a run remembers of the results that came to it: which rollouts, with
/// what grades, which jobs failed, what was wrong with replies of models. Fed
/// by the ledger, stored in snapshots as growth, read for counts and citations.
/// Owned by the run's executor; any thread.

#include "llm/accounts/reply_notes.hpp"
#include "llm/accounts/saved_work.hpp"
#include "messages/snapshot_msgs.hpp"
#include "run/results.hpp"
#include "run/resume/failed_jobs.hpp"
#include "run/resume/reuse_counts.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace brewery {

class seen_results {
public:
  /// How much of it a reader has.
  struct told_until {
    std::size_t rollouts = 0, notes = 0;
  };

  /// Without results: the jobs that were given up before a resume.
  void given_up(failed_jobs before);

  /// A result counts more than what a snapshot says of its job, because the job
  /// may have been tried again since.
  void note(const job_result& answer);
  /// How a rollout differs from one that could stand for it; empty: not.
  void note_reuse_check(const std::string& differs);
  void note_failure(const job_id& job, std::string why);
  /// The search ended without a concept. If nothing was learned, the untaught
  /// rollouts are to blame.
  void note_no_concept();

  /// From a snapshot. Results may have come before it was read.
  void restore(const run_growth& from);
  /// What snapshots have: all that was restored.
  [[nodiscard]] told_until restored() const;

  /// What is not told yet, in parts that fit into a message.
  std::vector<run_growth> growth(told_until& told) const;

  /// Empty if the rollout is not known.
  [[nodiscard]] cited_rollout rollout(const job_id& id) const;
  [[nodiscard]] std::size_t rollouts() const;
  /// All rollouts that were not reused, each once.
  [[nodiscard]] played_work played() const;
  [[nodiscard]] reuse_counts reused() const;
  [[nodiscard]] std::vector<note_total> notes() const;
  [[nodiscard]] failed_jobs failed() const;

private:
  mutable std::mutex mutex_;
  struct seen {
    cited_rollout cited;
    std::uint64_t duration_us = 0;
  };

  std::unordered_map<job_id, seen> rollouts_; ///< all, also what was reused
  /// Its keys: first those that were restored, then as they came.
  std::vector<const job_id*> seen_;
  std::map<job_id, std::string> reused_; ///< with what stands for it
  reuse_counts checks_;
  job_notes notes_;
  std::vector<job_id> noted_; ///< jobs with notes, likewise
  told_until restored_;
  failed_jobs failed_;
  untaught_rollouts untaught_;
};

} // namespace brewery
