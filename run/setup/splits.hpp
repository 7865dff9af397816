#pragma once
/// Which tasks of a benchmark a run learns from, scores on and tests on. Pure,
/// given the benchmark.

#include "run/setup/problem.hpp"

namespace brewery {

/// Takes the splits that the configuration names, or draws them from one split,
/// and limits them. Without a final evaluation there are no test tasks. Error
/// ec::invalid_config: a split does not exist, has too few tasks, or shares
/// some with another.
result<void> take_splits(problem& out, const config& options);

/// The tasks of one split, given its name, limited in file order (0: all).
result<std::vector<learner_task>> tasks_of_split(const benchmark& source,
                                                 const std::string& split,
                                                 std::uint32_t max_tasks);

/// The same for a person who names a split: of those that the run uses, the
/// tasks that it has of them. Where splits are drawn, "train", "eval" and
/// "test" are the drawn ones.
result<std::vector<learner_task>>
tasks_called(const std::string& split, const problem& what,
             const environment_options& where);

/// No task may have two uses: a score on tasks that the agent has learned from,
/// or that have chosen its documents, measures nothing. The error names both
/// splits and the first common tasks.
result<void> check_disjoint(const problem& what,
                            const environment_options& where);

} // namespace brewery
