#pragma once
/// The searches of one run, side by side on its ledger and its slots: a slot
/// that one search has no work for, at its barrier, works for another (ADR
/// 0034). What a search decides does not depend on the others: jobs that
/// several ask for are done once, by the ledger, and have equal results whoever
/// asked first. Used by one thread, which it blocks; each search has one of its
/// own.

#include "actors/interfaces.hpp"
#include "actors/progress.hpp"
#include "actors/run_metrics.hpp"
#include "learners/brew/settings.hpp"
#include "messages/search_msgs.hpp"
#include "run/cluster_runtime.hpp"
#include "run/resume/seen_results.hpp"

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

/// A search to play. All of a run differ only in their strategy.
struct planned_search {
  std::string strategy;
  std::shared_ptr<const brew_settings> settings;
  /// Ends with ec::cancelled once the barrier of this iteration is on record.
  std::optional<std::uint32_t> hold_after{};
};

/// What the searches work with. The run's executor owns it and outlives them.
struct search_parts {
  cluster_runtime& on;
  const run_id& run;
  std::shared_ptr<document_store> documents;
  ledger_actor ledger;
  std::shared_ptr<progress_board> board;
  std::shared_ptr<run_metrics> metrics;
  seen_results& seen;
  const std::filesystem::path&
      snapshots; ///< their folder; empty: none are kept
  const std::map<std::string, std::string>& decided; ///< before a resume
  /// Gets each gather, also the last one from before a resume; any thread.
  std::function<void(const std::string& strategy, const gather_record&)>
      on_gather;
  /// Ends the other searches when one fails; any thread.
  std::function<void()> stop;
  /// What the run's models have cost, in USD; empty: it has none. Any thread.
  std::function<double()> cost_usd{};
};

class run_searches {
public:
  explicit run_searches(search_parts parts) : parts_(std::move(parts)) {}

  /// Returns when all have ended, with their outcomes in the same order. If one
  /// fails the others are stopped, and the error is that of the first one that
  /// failed by itself; ec::cancelled if none did.
  result<std::vector<search_outcome>>
  play(const std::vector<planned_search>& planned);

private:
  struct search;
  result<search> prepare(const planned_search& planned);
  void use_snapshot(search& one);
  void note_gathered(search& one, const std::vector<gather_record>& before,
                     const gather_record& last);
  void begin_like(search& one, const search& other);
  void play(search& one, const search* like);
  static result<std::vector<search_outcome>> outcomes(std::vector<search>& all);

  search_parts parts_;
  std::atomic<bool> failed_{false}; ///< some search
};

} // namespace brewery
