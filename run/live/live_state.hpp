#pragma once
/// What a run is doing now, as JSON for pages: where its searches stand and
/// which trees their barriers wait for, its jobs and why they wait, the workers
/// of its pool, its cost and the time it still takes. For people: no decision
/// depends on it. PURE.

#include "actors/model_broker.hpp"
#include "actors/progress.hpp"
#include "base/json.hpp"
#include "cluster/pool_core.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

struct live_state {
  run_id run;
  progress_view view;
  const pool_status* pool = nullptr;         ///< null: it does not answer
  std::optional<model_broker_view> models{}; ///< none: no role uses one
  std::string models_text{};                 ///< as `models_text` has it
  std::uint64_t rollouts = 0;                ///< of all sessions
  std::size_t failed_jobs = 0;               ///< that were given up
  std::optional<double> seconds_left{};      ///< estimated
  double rollouts_per_second = 0;            ///< lately
};

/// Workers beyond these are only counted; those with something to say come
/// first.
inline constexpr std::size_t live_workers_max = 100;

/// Why the run's jobs, or its model calls, wait: one sentence for each reason,
/// what stops everything first. Empty: nothing waits.
std::vector<std::string> why_it_waits(const live_state& now);

json live_json(const live_state& now,
               std::chrono::steady_clock::time_point when);

} // namespace brewery
