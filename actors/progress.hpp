#pragma once
/// What a run is doing now, for people: terminal, `--json`, metrics. The actors
/// write it and the process's main thread reads it. No decision depends on it,
/// and no result contains it. Thread-safe.

#include "base/fields.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

/// Where one search stands.
struct search_view {
  std::string search; ///< the strategy or evaluation
  std::string phase;  ///< e.g. "expanding"; empty: not begun
  std::uint32_t iteration = 0;
  std::uint32_t iterations = 0;
  std::uint32_t trees = 0;
  std::uint32_t trees_reported = 0;   ///< at the open barrier
  std::uint64_t reports_late = 0;     ///< 0 without a quorum
  std::vector<double> best_rewards{}; ///< of the last gather, with a score
  /// The concepts whose trees have not reported at the open barrier, at most
  /// `missing_max`, and when the first of the others did.
  std::vector<std::uint32_t> missing{};
  std::optional<std::chrono::steady_clock::time_point> first_report{};
  static constexpr std::size_t missing_max = 20;

  [[nodiscard]] bool is_under_way() const {
    return !phase.empty() && phase != "finished";
  }
  /// Iterations that are done, with the part of the open one; the roots do not
  /// count.
  [[nodiscard]] double iterations_done() const {
    if (phase == "finished") return iterations;
    if (phase != "expanding" || iteration == 0) return 0;
    return iteration - 1
           + (trees == 0 ? 0.0 : static_cast<double>(trees_reported) / trees);
  }
  BREWERY_FIELDS(search_view, search, phase, iteration, iterations, trees,
                 trees_reported)
};

/// With searches side by side, the run stands where the hindmost of them does,
/// because it ends with the last one.
struct progress_view : search_view {
  /// Those of the run, in its order, also those that have not begun.
  std::vector<search_view> searches;
  std::uint64_t evaluations_left = 0; ///< rollouts of the final evaluation
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

  /// Where a search stands now.
  void show(const search_view& now) {
    const std::lock_guard lock{mutex_};
    auto& all = view_.searches;
    const auto found = std::ranges::find(all, now.search, &search_view::search);
    if (found == all.end())
      all.push_back(now);
    else
      *found = now;
    const search_view* hindmost = nullptr;
    for (const auto& one : all)
      if (one.is_under_way()
          && (!hindmost || one.iterations_done() < hindmost->iterations_done()))
        hindmost = &one;
    static_cast<search_view&>(view_) = hindmost ? *hindmost : now;
  }

  /// Adds work of the run; used for barrier efficiency.
  void add_work(std::chrono::microseconds spent) {
    const std::lock_guard lock{mutex_};
    for (auto& [search, done] : since_) {
      done.sum += spent;
      done.longest = std::max(done.longest, spent);
    }
  }
  struct work {
    std::chrono::microseconds sum{0};
    std::chrono::microseconds longest{0};
  };
  /// The work of the run since this search took it last: its slots are those of
  /// all its searches.
  work take_work(const std::string& search) {
    const std::lock_guard lock{mutex_};
    return std::exchange(since_[search], {});
  }

private:
  mutable std::mutex mutex_;
  progress_view view_;
  std::map<std::string, work> since_; ///< by search
};

} // namespace brewery
