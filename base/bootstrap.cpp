#include "base/bootstrap.hpp"

#include "base/rng.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace brewery {

namespace {

/// The quantile of sorted values, linear between neighbours.
double quantile(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const auto high = std::min(low + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(low);
  return sorted[low] + part * (sorted[high] - sorted[low]);
}

constexpr double z2 = 1.959963984540054 * 1.959963984540054;

/// As no task of n differed from the mean: Wilson's upper limit of the share
/// that would differ is z^2 / (n + z^2), and these may have any value of the
/// range.
estimate of_equals(double value, std::size_t n, value_range range) {
  const double share = z2 / (static_cast<double>(n) + z2);
  return {value, value - share * (value - range.least),
          value + share * (range.most - value), interval_kind::wilson, n};
}

/// Wilson's of a share of n tasks, of which the others have the least value and
/// these the most.
estimate of_share(double value, std::size_t n, value_range range) {
  const double width = range.most - range.least, count = static_cast<double>(n);
  const double share = (value - range.least) / width;
  const double middle = share + z2 / (2 * count);
  const double reach =
      std::sqrt(z2 * (share * (1 - share) / count + z2 / (4 * count * count)));
  const auto place = [&](double shifted) {
    return range.least + width * shifted / (1 + z2 / count);
  };
  return {value, place(middle - reach), place(middle + reach),
          interval_kind::wilson, n};
}

/// The values of few tasks are no picture of all that there could be: of two,
/// resampling finds the smaller and the larger one.
estimate widened(estimate of, std::size_t tasks, value_range range) {
  of.tasks = tasks;
  if (tasks >= tasks_to_resample) return of;
  const auto few = of_share(of.value, tasks, range);
  return {of.value, std::min(of.low, few.low), std::max(of.high, few.high),
          few.kind, tasks};
}

bool all_equal(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least < 1e-9;
}

/// Of `resamples` draws of a mean.
estimate percentile_interval(double centre, std::uint64_t seed,
                             std::uint32_t resamples,
                             const std::function<double(rng&)>& drawn_mean) {
  if (resamples == 0) return {centre, centre, centre};
  rng draw{rng_key(seed, "bootstrap")};
  std::vector<double> means;
  means.reserve(resamples);
  for (std::uint32_t i = 0; i < resamples; ++i)
    means.push_back(drawn_mean(draw));
  std::sort(means.begin(), means.end());
  return {centre, quantile(means, 0.025), quantile(means, 0.975)};
}

double drawn_mean(const std::vector<double>& values, rng& draw) {
  double sum = 0;
  for (std::size_t j = 0; j < values.size(); ++j)
    sum += values[draw.below(values.size())];
  return sum / static_cast<double>(values.size());
}

/// The values of each seed by the place of the task among those of all seeds;
/// none where the seed has no value of it.
using crossed_rows = std::vector<std::vector<std::optional<double>>>;

/// The same tasks in all rows, of which each counts those that it has.
double drawn_crossed_mean(const crossed_rows& rows, rng& draw) {
  const auto width = rows.front().size();
  std::vector<std::size_t> tasks(width);
  for (auto& task : tasks)
    task = draw.below(width);
  double sum = 0;
  std::size_t counted = 0;
  while (counted == 0) // somebody has the tasks that were drawn
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& row = rows[draw.below(rows.size())];
      double of_row = 0;
      std::size_t has = 0;
      for (const auto task : tasks) {
        of_row += row[task].value_or(0);
        has += row[task].has_value();
      }
      if (has == 0) continue;
      sum += of_row / static_cast<double>(has);
      ++counted;
    }
  return sum / static_cast<double>(counted);
}

double drawn_nested_mean(const std::vector<std::vector<double>>& rows,
                         rng& draw) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    sum += drawn_mean(rows[draw.below(rows.size())], draw);
  return sum / static_cast<double>(rows.size());
}

/// Empty: no two seeds have a task in common.
crossed_rows crossed(const std::vector<values_by_task>& seeds,
                     const values_by_task& tasks) {
  crossed_rows out;
  std::size_t values = 0;
  for (const auto& seed : seeds) {
    if (seed.empty()) continue;
    values += seed.size();
    auto& row = out.emplace_back();
    for (const auto& [task, any] : tasks) {
      const auto it = seed.find(task);
      row.push_back(it == seed.end() ? std::nullopt
                                     : std::optional{it->second});
    }
  }
  if (values == tasks.size()) return {};
  return out;
}

} // namespace

estimate bootstrap_mean(const std::vector<double>& values, value_range range,
                        std::uint64_t seed, std::uint32_t resamples) {
  if (values.empty()) return {};
  const double centre = mean(values);
  if (all_equal(values))
    return widened(of_equals(centre, values.size(), range), values.size(),
                   range);
  const auto drawn =
      percentile_interval(centre, seed, resamples,
                          [&](rng& draw) { return drawn_mean(values, draw); });
  return widened(drawn, values.size(), range);
}

estimate bootstrap_seeds(const std::vector<values_by_task>& seeds,
                         value_range range, std::uint64_t seed,
                         std::uint32_t resamples) {
  std::vector<std::vector<double>> rows;
  std::vector<double> all, means;
  values_by_task tasks;
  for (const auto& one : seeds) {
    if (one.empty()) continue;
    tasks.insert(one.begin(), one.end());
    auto& row = rows.emplace_back();
    for (const auto& [task, value] : one)
      row.push_back(value);
    all.insert(all.end(), row.begin(), row.end());
    means.push_back(mean(row));
  }
  if (rows.empty()) return {};
  if (rows.size() == 1)
    return bootstrap_mean(rows.front(), range, seed, resamples);
  const double centre = mean(means);
  if (all_equal(all))
    return widened(of_equals(centre, tasks.size(), range), tasks.size(), range);
  const auto shared = crossed(seeds, tasks);
  const auto drawn =
      percentile_interval(centre, seed, resamples, [&](rng& draw) {
        return shared.empty() ? drawn_nested_mean(rows, draw)
                              : drawn_crossed_mean(shared, draw);
      });
  return widened(drawn, tasks.size(), range);
}

} // namespace brewery
