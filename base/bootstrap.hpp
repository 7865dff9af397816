#pragma once
/// Intervals by resampling, for base/statistics.hpp. Pure; randomness is
/// seeded, so equal data gives equal intervals everywhere.

#include "base/statistics.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace brewery {

/// The values that a grade, or a difference of grades, can have.
struct value_range {
  double least = 0, most = 1;
};

/// The mean of one value a task with its interval: a percentile bootstrap over
/// tasks, or Wilson's interval if all values are equal (base/statistics.hpp).
/// Of fewer than `tasks_to_resample` tasks, all that either of them covers.
/// Zeros if there are none.
estimate bootstrap_mean(const std::vector<double>& values, value_range range,
                        std::uint64_t seed, std::uint32_t resamples = 2000);

/// What one seed measured: a value for each task, by the task's name.
using values_by_task = std::map<std::string, double>;

/// The mean over seeds of the mean over tasks, with its interval: each draw
/// takes seeds with replacement, and tasks with replacement. It takes the same
/// tasks for all of its seeds, each of which counts those that it has: what
/// makes a task hard does not change with the seed, and a task that one seed
/// lacks takes nothing of that away. Seeds without any task in common draw
/// their own. One seed: as above.
/// Seeds without tasks do not count. Few seeds give intervals that are too
/// narrow: a bootstrap cannot know of seeds unlike those that it has.
estimate bootstrap_seeds(const std::vector<values_by_task>& seeds,
                         value_range range, std::uint64_t seed,
                         std::uint32_t resamples = 2000);

} // namespace brewery
