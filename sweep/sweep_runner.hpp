#pragma once
/// Plays the runs of a sweep in this process, some side by side, on one set of
/// workers: threads, or child processes. Each is an ordinary run in a folder of
/// its own. What several of them need is done once (actors/job_share.hpp) and
/// stands in each log, so every run is what it would be alone, and can be
/// resumed, compared and copied alone.

#include "sweep/sweep_state.hpp"

#include <functional>

namespace brewery {

struct sweep_view {
  std::size_t runs = 0, finished = 0, failed = 0, cut = 0;
  std::size_t interrupted = 0, cancelled = 0; ///< on a coordinator
  std::vector<std::string> running;
  std::uint64_t rollouts = 0;          ///< in the logs of all runs
  std::uint64_t finished_rollouts = 0; ///< of these, of finished runs
  std::vector<std::uint64_t> unended;  ///< of each run that has not ended
  std::uint64_t shared = 0; ///< rollouts that a run got from another one
  double cost_usd = 0;      ///< of language models

  [[nodiscard]] std::size_t ended() const {
    return finished + failed + cut + interrupted + cancelled;
  }
};

/// Called on one thread.
struct sweep_observer {
  std::function<void()> on_interrupt;
  std::function<void(const sweep_view&)> on_progress;
  /// A coordinator does not answer, and is waited for. Once for each time.
  std::function<void(const error&)> on_away{};
};

/// What is wrong with any point, before anything is written: its data, its
/// models, an option that changed since `before`.
result<void> can_sweep(const sweep_plan& plan, const sweep_state& before,
                       const std::filesystem::path& directory);

struct sweep_outcome {
  sweep_state state;
  std::uint64_t shared = 0; ///< rollouts, in this session
  std::string group{}; ///< not empty: `shared` are those of all its runs so far
};

/// Plays what is not finished, and keeps sweep.json up to date. A run that
/// fails does not stop the others: see its state. Error ec::cancelled: it was
/// interrupted; ec::over_budget: a limit of the sweep is reached. In both cases
/// the same call goes on.
result<sweep_outcome> play_sweep(const sweep_plan& plan,
                                 const std::filesystem::path& directory,
                                 const sweep_observer& observer);

} // namespace brewery
