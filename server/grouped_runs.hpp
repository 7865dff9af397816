#pragma once
/// The groups of a coordinator's runs. What runs of a group ask for alike is
/// done once (actors/job_share.hpp), as in a sweep of one process. The
/// coordinator service owns it; its command thread uses it.

#include "actors/job_share.hpp"
#include "run/cluster_runtime.hpp"
#include "server/group_budget.hpp"
#include "store/submission.hpp"

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace brewery {

class grouped_runs {
public:
  /// The runs of a group by id, with the state of one that is not held:
  /// "queued", "held", "finished", "cancelled", "interrupted" or "unreadable".
  using members = std::map<std::string, std::string>;

  /// `on` must outlive it, and its runs must have ended before it.
  grouped_runs(cluster_runtime& on, std::filesystem::path runs_dir);
  ~grouped_runs();
  grouped_runs(const grouped_runs&) = delete;
  grouped_runs& operator=(const grouped_runs&) = delete;

  /// Nothing for a run of no group. Who is added last knows the group's limit.
  void add(const submission& about, const run_directory& run,
           std::string state_before = {});
  /// One that was refused.
  void remove(const std::string& group, const std::string& run);
  [[nodiscard]] const std::map<std::string, members>& all() const {
    return members_;
  }
  [[nodiscard]] bool has(const std::string& group,
                         const std::string& run) const;
  /// The ids of a group's runs: by their points' places in the sweep's file,
  /// then by id. Those without a place come last.
  [[nodiscard]] std::vector<std::string>
  in_order(const std::string& group) const;
  /// Of a run that it has.
  void set_state(const std::string& group, const std::string& run,
                 std::string state_before);
  /// Runs side by side; 0: all.
  [[nodiscard]] std::uint32_t at_once(const std::string& group) const;
  /// Of a group that has runs.
  [[nodiscard]] group_budget& budget(const std::string& group) const {
    return *budgets_.at(group);
  }

  /// What the runs of a group share; made from their logs when first asked
  /// for. None for no group.
  job_share_actor share_of(const std::string& group);
  /// Rollouts that runs of the group got from each other, over all starts.
  [[nodiscard]] std::uint64_t rollouts_shared(const std::string& group) const;
  /// For the next start.
  void store_shared();
  /// Once all runs were added: a group may be gone, and its name be used again.
  void forget_other_counts();
  /// Ends the shares of all other groups: their logs know the same.
  void keep_only(const std::set<std::string>& under_way);

private:
  cluster_runtime& on_;
  const std::filesystem::path runs_dir_;
  std::map<std::string, members> members_;
  std::map<std::string, std::unique_ptr<group_budget>> budgets_;
  std::map<std::string, std::uint32_t> at_once_;
  std::map<std::string, std::uint32_t> points_; ///< by run
  std::map<std::string, job_share_actor> shares_;
  std::map<std::string, std::shared_ptr<std::atomic<std::uint64_t>>> shared_;
  std::map<std::string, std::uint64_t> stored_; ///< of `shared_`
};

} // namespace brewery
