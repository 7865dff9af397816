#pragma once
/// What a run is doing now, for people: terminal, `--json`, metrics. The actors
/// write it and the process's main thread reads it. No decision depends on it,
/// and no result contains it. Thread-safe.

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace brewery {

struct progress_view {
  std::string search; ///< the strategy or evaluation that is running
  std::string phase;  ///< e.g. "expanding"
  std::uint32_t iteration = 0;
  std::uint32_t iterations = 0;
  std::uint32_t trees = 0;
  std::uint32_t trees_reported = 0;   ///< at the open barrier
  std::uint32_t searches_left = 0;    ///< strategies after this one
  std::uint64_t evaluations_left = 0; ///< rollouts of the final evaluation
  std::uint64_t reports_late = 0;     ///< of this search; 0 without a quorum
  std::uint64_t jobs_submitted = 0;
  std::uint64_t jobs_answered = 0;
  std::uint64_t jobs_from_log = 0;
  std::uint64_t rollouts_run = 0; ///< by this process
  std::uint64_t rollouts_graded = 0;
  std::uint64_t environment_errors = 0;
  std::uint64_t rollouts_given_up = 0;
  std::uint64_t rollouts_reused = 0; ///< without being played
  std::uint64_t reuse_audited = 0;   ///< played all the same, and compared
  std::uint64_t reuse_wrong = 0;     ///< of these, with another outcome
  double reward_sum = 0;             ///< of graded rollouts
  std::vector<double> best_rewards;  ///< per concept, of the last gather
  double barrier_efficiency = 0;     ///< of the last barrier, [0, 1]
  double barrier_utilisation = 0;    ///< of the last barrier, [0, 1]
  std::string spent;  ///< cost of language models: "$0.42 of $5.00"
  std::string models; ///< cost and state of language models; empty: none
};

class progress_board {
public:
  template <class F>
  void update(F&& change) {
    const std::lock_guard lock{mutex_};
    change(view_);
  }
  [[nodiscard]] progress_view view() const {
    const std::lock_guard lock{mutex_};
    return view_;
  }

  /// Adds work done since the last barrier; used for barrier efficiency.
  void add_work(std::chrono::microseconds spent) {
    const std::lock_guard lock{mutex_};
    sum_ += spent;
    longest_ = std::max(longest_, spent);
  }
  struct work {
    std::chrono::microseconds sum{0};
    std::chrono::microseconds longest{0};
  };
  work take_work() {
    const std::lock_guard lock{mutex_};
    const work taken{sum_, longest_};
    sum_ = longest_ = std::chrono::microseconds{0};
    return taken;
  }

private:
  mutable std::mutex mutex_;
  progress_view view_;
  std::chrono::microseconds sum_{0};
  std::chrono::microseconds longest_{0};
};

} // namespace brewery
