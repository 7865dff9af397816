#include "cli/estimate/pilot.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "config/print.hpp"
#include "run/interrupt.hpp"
#include "run/run_lifecycle.hpp"
#include "run/setup/preflight.hpp"
#include "run/setup/run_checks.hpp"
#include "store/run_status.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

constexpr std::uint32_t pilot_tasks = 2;

/// What was paid for a pilot that its budget stopped is not lost.
error with_next_step(error why, const run_directory& run) {
  if (why.code == ec::over_budget)
    why.message += fmt::format(
        "; resume it with `{}`, then `brewery estimate CONFIG --like {}`",
        larger_budget(why, "brewery resume " + shell_word(run.path().string())),
        shell_word(run.path().string()));
  return why;
}

} // namespace

config pilot_options(config options) {
  options.run.name += options.run.name.empty() ? "pilot" : "-pilot";
  options.environment.max_train_tasks = pilot_tasks;
  options.environment.max_eval_tasks = pilot_tasks;
  if (options.environment.draw_from.empty())
    options.environment.test_split = "";
  options.search.iterations = 0;
  options.search.initial_trials = 1;
  options.search.final_evaluation = false;
  if (options.search.strategies.empty())
    options.search.strategies = config{}.search.strategies;
  options.search.strategies.resize(1);
  return options;
}

result<std::filesystem::path> make_pilot(const config& options) {
  const auto small = pilot_options(options);
  if (const auto problems = preflight(small); !problems.empty())
    return problems.front();
  const auto what = load_problem(small);
  if (!what) return what.error();
  if (auto ok = can_begin(small, {}); !ok) return ok.error();
  const auto directory = run_directory::create_new(
      small.run.runs_dir, std::chrono::system_clock::now(), small.run.name);
  if (!directory) return directory.error();
  auto log = begin_log(*directory, to_toml(small));
  if (!log) return log.error();
  std::fprintf(stderr, "pilot run %s: %zu tasks\n", directory->id().c_str(),
               what->train.size());
  run_inputs inputs{small, *directory, std::move(*log), {}, false, {}, {}};
  const auto summary = run_to_end(std::move(inputs), *what,
                                  {[] {}, [](const progress_view&) {}});
  if (!summary) return with_next_step(summary.error(), *directory);
  if (const auto status = read_run_status(directory->path()))
    std::fprintf(stderr, "pilot run %s: cost $%.4f\n", directory->id().c_str(),
                 status->cost_usd);
  return directory->path();
}

} // namespace brewery
