#pragma once
/// Statistics of graded tasks, for reports. Pure; randomness is seeded, so
/// equal data gives equal intervals everywhere.
///
/// `rewards[i][j]` is the grade of trial j of task i, from 0 to 1. Resampling
/// draws tasks: they are a sample of all possible tasks, while trials of one
/// task are not independent of one another.

#include "base/result.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace brewery {

/// For every interval that is shown, so that equal grades have equal ones.
inline constexpr std::uint64_t interval_seed = 1;

/// Tasks by name, where a function is not given names.
using task_rewards = std::vector<std::vector<double>>;

/// How an interval was made.
enum class interval_kind : std::uint8_t {
  bootstrap, ///< percentile bootstrap over tasks (Efron 1979)
  wilson,    ///< tasks agree or are few: resampling has too little to vary
};

std::string_view to_string(interval_kind kind);

/// With fewer no test of paired values can be significant at 5 %, both sides
/// taken together: all of 5 tasks get better by chance in 2 / 2^5 of cases.
inline constexpr std::size_t tasks_to_resample = 6;

/// A value with its 95 % interval, `low` <= `high`.
struct estimate {
  double value = 0;
  double low = 0;
  double high = 0;
  interval_kind kind = interval_kind::bootstrap;
  std::size_t tasks = 0; ///< that it is of
};

/// Whether a paired difference is shown to be above, or below, zero: its
/// interval is, and it is of tasks enough for any test to tell.
inline bool is_above_zero(const estimate& difference) {
  return difference.low > 0 && difference.tasks >= tasks_to_resample;
}
inline bool is_below_zero(const estimate& difference) {
  return difference.high < 0 && difference.tasks >= tasks_to_resample;
}

/// Sums in the given order; 0 if empty.
double mean(std::span<const double> values);

/// Mean over tasks of the mean over trials. Skips tasks without trials.
double mean_reward(const task_rewards& rewards);

/// `mean_reward` with its interval: draws tasks with replacement, `resamples`
/// times, and averages trials inside. If all tasks have the same mean (0 of 24,
/// 3 of 3), every draw is equal and the bootstrap would claim to be certain.
/// Then the interval is Wilson's (1927): it asks how large the share of tasks
/// can be that would differ, though none of these did, and takes the worst
/// reward for them. Of fewer than `tasks_to_resample` it is joined with what
/// resampling gives: that of a share as large as the mean, since no grades
/// between 0 and 1 of that mean vary as much as 0 and 1. Without tasks: zeros.
estimate estimate_mean(const task_rewards& rewards, std::uint64_t seed,
                       std::uint32_t resamples = 2000);

/// Mean of (arm - baseline) over the same tasks in the same order, with its
/// interval, as above. Pairing removes differences between tasks; those that
/// have trials in one arm only do not count. An interval above 0 means that the
/// arm is better. Error ec::invalid_argument if the arms have different numbers
/// of tasks, or none has trials in both.
result<estimate> estimate_difference(const task_rewards& arm,
                                     const task_rewards& baseline,
                                     std::uint64_t seed,
                                     std::uint32_t resamples = 2000);

/// Attempts without a score, which no mean counts, and what they could hide.
struct unscored_attempts {
  std::size_t count = 0, of = 0;
  /// `mean_reward` if all of them counted as 0, and as 1.
  double lowest = 0, highest = 1;

  [[nodiscard]] double share() const;
};

/// `trials` is the planned number of attempts per task.
unscored_attempts count_unscored(const task_rewards& rewards,
                                 std::uint32_t trials);

/// pass^k: the probability that k trials of a task all succeed. It is the mean
/// over tasks of C(s, k) / C(n, k) for s successes (reward 1) in n trials
/// (tau-bench, arXiv:2406.12045). Error ec::invalid_argument if k is 0 or a
/// task has fewer than k trials.
result<double> pass_hat_k(const task_rewards& rewards, std::uint32_t k);

/// pass^1, pass^2, ... up to the smallest number of trials. Omits tasks without
/// a graded trial, as tau-bench omits infrastructure failures.
std::vector<double> pass_hat_each(const task_rewards& rewards);

} // namespace brewery
