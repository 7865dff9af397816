#include "base/statistics.hpp"

#include "base/rng.hpp"

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

/// The quantile of sorted values, linear between neighbours.
double quantile(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const auto high = std::min(low + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(low);
  return sorted[low] + part * (sorted[high] - sorted[low]);
}

/// The values that a reward, or a difference of rewards, can have.
struct value_range {
  double least, most;
};

/// For values that are all equal: the share of tasks that differ is 0 of n.
/// Wilson's upper limit of it is z^2 / (n + z^2); these tasks may have any
/// value of the range.
estimate wilson(double value, std::size_t n, value_range range) {
  constexpr double z2 = 1.959963984540054 * 1.959963984540054;
  const double share = z2 / (static_cast<double>(n) + z2);
  return {value, value - share * (value - range.least),
          value + share * (range.most - value), interval_kind::wilson};
}

bool all_equal(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least < 1e-9;
}

estimate interval_of(const std::vector<double>& values, value_range range,
                     std::uint64_t seed, std::uint32_t resamples) {
  if (values.empty()) return {};
  const double centre = mean(values);
  if (all_equal(values)) return wilson(centre, values.size(), range);
  if (resamples == 0) return {centre, centre, centre};
  rng draw{rng_key(seed, "bootstrap")};
  std::vector<double> means;
  means.reserve(resamples);
  for (std::uint32_t i = 0; i < resamples; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < values.size(); ++j)
      sum += values[draw.below(values.size())];
    means.push_back(sum / static_cast<double>(values.size()));
  }
  std::sort(means.begin(), means.end());
  return {centre, quantile(means, 0.025), quantile(means, 0.975)};
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
  return interval_of(task_means(rewards), {0, 1}, seed, resamples);
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
    if (arm[i].empty() != baseline[i].empty())
      return error{ec::invalid_argument,
                   fmt::format("paired difference: task {} has trials in one "
                               "arm only",
                               i)};
    if (!arm[i].empty())
      differences.push_back(mean(arm[i]) - mean(baseline[i]));
  }
  return interval_of(differences, {-1, 1}, seed, resamples);
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
