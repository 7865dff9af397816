#include "cli/measured_use.hpp"

#include "actors/model_recording.hpp"
#include "messages/search_msgs.hpp"
#include "report/arm_rollouts.hpp"
#include "store/event_log.hpp"
#include "store/run_directory.hpp"
#include "store/run_status.hpp"

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

/// As the run stored them.
result<config> options_of_run(const std::filesystem::path& path) {
  const auto run =
      run_directory::open(path.parent_path(), path.filename().string());
  if (!run) return run.error();
  return options_of(*run);
}

/// The number of concepts that a run found.
result<double> concepts_of(const std::filesystem::path& run,
                           const config& options) {
  const auto log = event_log::open_for_reading(run);
  if (!log) return log.error();
  double records = 0; // one for each strategy
  const auto read = (*log)->for_each(
      [&](const event_row& row) -> result<void> {
        if (row.kind == concept_record::type_name) ++records;
        return {};
      },
      job_result::type_name);
  if (!read) return read.error();
  const auto strategies =
      std::max<std::size_t>(1, options.search.strategies.size());
  return records / static_cast<double>(strategies);
}

/// Two standard errors of a mean of so many jobs, as a share of it, if the
/// calls of a job spread by half their mean.
double doubt(double jobs) {
  return 1 / std::sqrt(jobs);
}

} // namespace

task_counts count_tasks(const problem& what) {
  return {what.train.size(), what.eval.size(), what.test.size()};
}

result<std::map<std::string, role_use>>
measured_use(const std::filesystem::path& run) {
  const auto options = options_of_run(run);
  if (!options) return options.error();
  const auto what = load_problem(*options);
  if (!what) return what.error();
  const auto concepts = concepts_of(run, *options);
  if (!concepts) return concepts.error();
  auto jobs = count_jobs(*options, count_tasks(*what), {*concepts, *concepts});
  if (const auto status = read_run_status(run))
    jobs.played = static_cast<double>(status->rollouts);
  auto recorded = model_recording::open_for_replay(run);
  if (!recorded) return recorded.error();
  std::map<std::string, role_use> out;
  for (const auto& [role, sum] : (*recorded)->index().by_role) {
    if (sum.calls == 0) continue;
    const auto calls = static_cast<double>(sum.calls);
    const auto found = jobs_of(role, jobs);
    const range of{std::max(1.0, found.low), std::max(1.0, found.high)};
    role_use each;
    each.calls = {calls / of.high / (1 + doubt(of.high)),
                  calls / of.low * (1 + doubt(of.low))};
    each.prompt_tokens = static_cast<double>(sum.usage.prompt) / calls;
    each.cached_tokens = static_cast<double>(sum.usage.cached) / calls;
    each.reply_tokens = static_cast<double>(sum.usage.completion) / calls;
    each.seconds = static_cast<double>(sum.duration_ms) / calls / 1000;
    out[role] = each;
  }
  return out;
}

} // namespace brewery
