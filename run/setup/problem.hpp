#pragma once
/// What a run works on: the benchmark, and its tasks by use. The test tasks are
/// sealed: only the final evaluation gets them.

#include "config/config.hpp"
#include "envs/environment.hpp"
#include "envs/spreadsheet/dataset.hpp"
#include "learners/brew/settings.hpp"

namespace brewery {

namespace tau2 {
class tau2_benchmark;
}

struct problem {
  std::shared_ptr<const benchmark> source;
  std::vector<learner_task> train, eval, test;
};

/// Loads the data and takes the splits. Errors name the file, task and field,
/// or the split and those that exist. An empty split is an error, and so is a
/// task with two uses, or one that the learner cannot play. `part` is for
/// spreadsheets.
result<problem> load_problem(const config& options,
                             spreadsheet::share part = spreadsheet::share::all);

/// Error ec::invalid_config: a task that `search.learner` cannot learn from or
/// play, because its user speaks first.
result<void> check_learner(const std::string& learner, const benchmark& source);

/// Error ec::invalid_config: the memory port would be asked with what a task
/// hides from its agent.
result<void> check_memory_port(const config& options, const benchmark& source);

/// Error ec::invalid_config: a task that the data cannot start, so that each of
/// its rollouts would be an environment error. Asked of new runs only.
result<void> check_starts(const problem& what);

/// Loads only the data, given kind and directory. `part` is for spreadsheets.
result<std::shared_ptr<const benchmark>>
load_benchmark(const environment_options& options,
               spreadsheet::share part = spreadsheet::share::all);

/// Loads the data of a tau2-bench domain.
result<std::shared_ptr<const tau2::tau2_benchmark>>
load_tau2_benchmark(const environment_options& options);

/// How rollouts differ from the default, e.g. " mode=user max_steps=50"; empty:
/// they do not. Part of every rollout's job id, besides the data.
std::string play_text(const environment_options& options);

/// The settings of one strategy's search.
result<brew_settings> settings_for(const config& options, const problem& what,
                                   const std::string& strategy_name,
                                   const fingerprints& prints);

/// The settings of an evaluation, which depend on no strategy.
result<brew_settings> evaluation_settings(const config& options,
                                          const problem& what,
                                          const fingerprints& prints);

} // namespace brewery
