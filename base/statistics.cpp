#include "base/statistics.hpp"

#include "base/bootstrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

/// A reward this close to 1 is a success; rewards are products of 0s and 1s.
bool succeeded(double reward) {
  return reward >= 1 - 1e-6;
}

std::vector<double> task_means(const task_rewards& rewards) {
  std::vector<double> out;
  for (const auto& trials : rewards)
    if (!trials.empty()) out.push_back(mean(trials));
  return out;
}

} // namespace

std::string_view to_string(interval_kind kind) {
  return kind == interval_kind::wilson ? "wilson" : "bootstrap";
}

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double mean_reward(const task_rewards& rewards) {
  return mean(task_means(rewards));
}

estimate estimate_mean(const task_rewards& rewards, std::uint64_t seed,
                       std::uint32_t resamples) {
  return bootstrap_mean(task_means(rewards), {0, 1}, seed, resamples);
}

result<estimate> estimate_difference(const task_rewards& arm,
                                     const task_rewards& baseline,
                                     std::uint64_t seed,
                                     std::uint32_t resamples) {
  if (arm.size() != baseline.size())
    return error{ec::invalid_argument,
                 fmt::format("paired difference: {} tasks in one arm, {} in "
                             "the other; they must be the same tasks",
                             arm.size(), baseline.size())};
  std::vector<double> differences;
  for (std::size_t i = 0; i < arm.size(); ++i) {
    if (!arm[i].empty() && !baseline[i].empty())
      differences.push_back(mean(arm[i]) - mean(baseline[i]));
  }
  if (differences.empty())
    return error{ec::invalid_argument,
                 "paired difference: no task has trials in both arms"};
  return bootstrap_mean(differences, {-1, 1}, seed, resamples);
}

double unscored_attempts::share() const {
  return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
}

unscored_attempts count_unscored(const task_rewards& rewards,
                                 std::uint32_t trials) {
  unscored_attempts out;
  task_rewards failed = rewards, solved = rewards;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    const auto planned = std::max<std::size_t>(trials, rewards[i].size());
    out.of += planned;
    out.count += planned - rewards[i].size();
    failed[i].resize(planned, 0);
    solved[i].resize(planned, 1);
  }
  out.lowest = mean_reward(failed);
  out.highest = mean_reward(solved);
  return out;
}

result<double> pass_hat_k(const task_rewards& rewards, std::uint32_t k) {
  if (k == 0)
    return error{ec::invalid_argument, "pass^k: k must be at least 1"};
  std::vector<double> tasks;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    const auto& trials = rewards[i];
    if (trials.size() < k)
      return error{ec::invalid_argument,
                   fmt::format("pass^{}: task {} has only {} trials", k, i,
                               trials.size())};
    const auto wins = static_cast<std::size_t>(
        std::count_if(trials.begin(), trials.end(), succeeded));
    double chance = 1; // C(s, k) / C(n, k) = product of (s - j) / (n - j)
    for (std::size_t j = 0; j < k; ++j)
      chance *= wins > j ? static_cast<double>(wins - j)
                               / static_cast<double>(trials.size() - j)
                         : 0.0;
    tasks.push_back(chance);
  }
  return mean(tasks);
}

std::vector<double> pass_hat_each(const task_rewards& rewards) {
  task_rewards tried;
  std::size_t fewest = 0;
  for (const auto& trials : rewards) {
    if (trials.empty()) continue;
    fewest = tried.empty() ? trials.size() : std::min(fewest, trials.size());
    tried.push_back(trials);
  }
  std::vector<double> out;
  for (std::uint32_t k = 1; k <= fewest; ++k)
    out.push_back(*pass_hat_k(tried, k));
  return out;
}

} // namespace brewery
