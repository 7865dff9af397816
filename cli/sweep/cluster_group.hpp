#pragma once
/// The group of a sweep's runs on a coordinator: what it says of them, and what
/// it is asked for. Used by one thread.

#include "cli/operator/operator_client.hpp"
#include "sweep/rung_reward.hpp"
#include "sweep/sweep_runner.hpp"

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace brewery {

struct cluster_sweep {
  connection_arguments where;
  std::string group;
  std::filesystem::path out; ///< absolute; empty: only submits
};

/// A run's id on the coordinator: GROUP.POINT-sSEED.
std::string grouped_run_id(const std::string& group, const std::string& run);

struct group_view {
  std::map<std::string, nlohmann::ordered_json> runs; ///< by their id there
  std::uint64_t shared = 0;
  std::string over_budget{}; ///< which limit of the group; empty: none
};

/// A run that needs no waiting for: it has ended, or is held.
bool is_over(const nlohmann::ordered_json& run);

class cluster_group {
public:
  static result<cluster_group> open(const cluster_sweep& how);

  /// From now on a coordinator that does not answer is waited for, until it
  /// does: it may be starting again. `on_away` is told once each time. Error
  /// ec::cancelled of all orders: `stop` is set, which must outlive the group.
  void outlast(const std::atomic<bool>& stop,
               std::function<void(const error&)> on_away);

  result<group_view> look();

  /// A run that it knows goes on. `hold_after`: to the barrier of this
  /// iteration, else to its end. Returns whether it is new.
  result<bool> submit(const sweep_plan& plan, std::size_t point,
                      std::uint64_t seed,
                      std::optional<std::uint32_t> hold_after);

  /// Ends a run that is held, if it is. A coordinator of an earlier release
  /// refuses, and goes on holding it.
  void end_held(const std::string& run, const std::string& why);

  /// As sweep/rung_reward. Empty: the run has not come there.
  result<std::optional<rung_figures>> reward(const std::string& run,
                                             std::uint32_t iteration);

private:
  cluster_group(operator_client client, const cluster_sweep& how)
      : client_(std::move(client)), where_(how.where), group_(how.group) {}
  result<nlohmann::ordered_json> ask(const std::string& verb,
                                     const order_words& words);
  void await_coordinator();
  [[nodiscard]] error which_ends_the_wait(error why) const;

  operator_client client_;
  connection_arguments where_;
  std::string group_;
  const std::atomic<bool>* stop_ = nullptr; ///< null: nothing is waited for
  std::function<void(const error&)> on_away_;
};

/// Where the group stands. `cut`: points by their place in the file, whose runs
/// count as cut unless they are finished.
sweep_view view_of(const sweep_plan& plan, const std::string& group,
                   const group_view& now,
                   const std::set<std::size_t>& cut = {});

/// About a second, less if `stop` is set.
void pause_between_looks(const std::atomic<bool>& stop);

} // namespace brewery
