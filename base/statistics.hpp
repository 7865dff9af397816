#pragma once
/// Statistics of graded tasks for reports. Pure; randomness is seeded, so the
/// same data gives the same interval everywhere.
///
/// `rewards[i][j]` is the reward of trial j of task i. The unit of resampling
/// is the task: tasks are a sample of the tasks there could be, trials of one
/// task are not independent of one another.

#include "base/result.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brewery {

using task_rewards = std::vector<std::vector<double>>;

/// A value with its 95 % interval, `low` <= `high`.
struct estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// In the order given; 0 of nothing.
double mean(std::span<const double> values);

/// Mean over tasks of the mean over trials; tasks without a trial are skipped.
double mean_reward(const task_rewards& rewards);

/// Wilson score interval of `successes` out of `trials` (Wilson 1927), good for
/// small numbers and near 0 and 1. No trials: 0 in [0, 1].
estimate wilson(std::uint64_t successes, std::uint64_t trials);

/// Percentile bootstrap of `mean_reward` (Efron 1979): tasks are drawn with
/// replacement, `resamples` times, trials averaged inside. No tasks: zeros.
estimate bootstrap_mean(const task_rewards& rewards, std::uint64_t seed,
                        std::uint32_t resamples = 2000);

/// Mean of (arm - baseline) over the same tasks in the same order, with its
/// bootstrap interval; the pairing removes what tasks differ in. An interval
/// above 0 says that the arm is better. Error ec::invalid_argument when the
/// arms have different numbers of tasks or a task has trials in one arm only.
result<estimate> bootstrap_difference(const task_rewards& arm,
                                      const task_rewards& baseline,
                                      std::uint64_t seed,
                                      std::uint32_t resamples = 2000);

/// pass^k: the probability that k attempts at a task all succeed, the mean over
/// tasks of C(s, k) / C(n, k) for s successes (reward 1) in n trials
/// (tau-bench, arXiv 2406.12045). Error ec::invalid_argument when k is 0 or a
/// task has fewer than k trials.
result<double> pass_hat_k(const task_rewards& rewards, std::uint32_t k);

/// pass^1, pass^2, ... as far as every task has trials. Tasks without a graded
/// trial are left out, as tau-bench leaves out what infrastructure broke.
std::vector<double> pass_hat_each(const task_rewards& rewards);

} // namespace brewery
