#include "cli/estimate/measured_use.hpp"

#include "actors/job_log.hpp"
#include "actors/model_recording.hpp"
#include "messages/search_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "report/arm_rollouts.hpp"
#include "report/run_overview.hpp"
#include "store/event_log.hpp"
#include "store/run_directory.hpp"
#include "store/run_status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace brewery {

namespace {

/// Error ec::invalid_argument unless the run is finished: only then are its
/// jobs known, which its calls are divided by.
result<void> check_finished(const run_directory& run) {
  const auto about = overview_of(run, std::chrono::system_clock::now());
  if (about.state == run_state::finished) return {};
  if (about.state == run_state::unreadable)
    return error{ec::corrupt, about.problem};
  return error{
      ec::invalid_argument,
      fmt::format("run {} is {}: its calls per job are known once it is "
                  "finished; resume it, or name another run",
                  run.id(), to_string(about.state))};
}

/// The number of concepts that each search of a run found. A retry may find
/// them again, and only the last time counts.
result<double> concepts_of(const run_directory& run, const config& options) {
  const auto log = event_log::open_for_reading(run.path());
  if (!log) return log.error();
  const auto known = load_memo(**log);
  if (!known) return known.error();
  const auto kind = std::string{concept_record::type_name} + '/';
  const auto records = std::count_if(
      known->decisions.begin(), known->decisions.end(),
      [&](const auto& one) { return one.first.starts_with(kind); });
  const auto strategies =
      std::max<std::size_t>(1, options.search.learned().size());
  return static_cast<double>(records) / static_cast<double>(strategies);
}

/// Whether this is what the integrator made. In a run of MUSE on a model it
/// refines procedures.
bool is_written(const job_output& made, bool refines) {
  const auto* step = std::get_if<memory_result>(&made);
  if (!step) return std::holds_alternative<integrate_result>(made);
  return refines
         && (step->texts.empty() || step->texts.front().name == "procedures");
}

/// How many documents the integrator wrote in a run of a learner that records
/// no concepts.
result<double> documents_written(const run_directory& run,
                                 const config& options) {
  const bool refines = options.search.learner == "muse";
  const auto log = event_log::open_for_reading(run.path());
  if (!log) return log.error();
  const auto known = load_memo(**log);
  if (!known) return known.error();
  double out = 0;
  for (const auto& [job, event] : known->logged) {
    const auto row = (*log)->read(event);
    if (!row) return row.error();
    const auto answer = wire::decode_brief<job_result>(row->payload);
    if (!answer) return answer.error();
    out += is_written(answer->output, refines) ? 1 : 0;
  }
  return out;
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
measured_use(const std::filesystem::path& path,
             const environment_options& own) {
  const auto run =
      run_directory::open(path.parent_path(), path.filename().string());
  if (!run) return run.error();
  if (auto ok = check_finished(*run); !ok) return ok.error();
  auto options = options_of(*run); // as the run stored them
  if (!options) return options.error();
  // Whoever wrote the run named programs. Those of `own` are known.
  if (options->environment.runs_program()
      && options->environment.kind != own.kind)
    return error{ec::invalid_argument,
                 fmt::format("{}: its tasks come from a program "
                             "(environment.kind = \"{}\"), and only that of a "
                             "configuration of the same kind is started; yours "
                             "has \"{}\"",
                             path.string(), options->environment.kind,
                             own.kind)};
  options->environment.take_programs(own);
  const auto what = load_problem(*options);
  if (!what) return what.error();
  const auto concepts = concepts_of(*run, *options);
  if (!concepts) return concepts.error();
  auto jobs = count_jobs(*options, count_tasks(*what), {*concepts, *concepts});
  if (options->search.learner != "brew") {
    const auto written = documents_written(*run, *options);
    if (!written) return written.error();
    jobs.integrations = {*written, *written};
  }
  if (const auto status = read_run_status(path))
    jobs.played = static_cast<double>(status->rollouts);
  auto recorded = model_recording::open_for_replay(path);
  if (!recorded) return recorded.error();
  std::map<std::string, role_use> out;
  auto assumed = assumed_use(*options);
  std::map<std::string, spend_line> by_role;
  for (const auto& [key, line] : (*recorded)->index().spend.lines)
    by_role[key.first] += line;
  for (const auto& [role, sum] : by_role) {
    if (sum.calls == 0) continue;
    const auto calls = static_cast<double>(sum.calls);
    const auto found = jobs_of(role, jobs);
    const range of{std::max(1.0, found.low), std::max(1.0, found.high)};
    auto each = assumed[role];
    each.calls = {calls / of.high / (1 + doubt(of.high)),
                  calls / of.low * (1 + doubt(of.low))};
    each.seconds = static_cast<double>(sum.duration_ms) / calls / 1000;
    if (sum.uncounted < sum.calls) {
      const auto counted = static_cast<double>(sum.calls - sum.uncounted);
      each.growth_tokens = 0;
      each.prompt_tokens = static_cast<double>(sum.usage.prompt) / counted;
      each.cached_tokens = static_cast<double>(sum.usage.cached) / counted;
      each.reply_tokens = static_cast<double>(sum.usage.completion) / counted;
    }
    out[role] = each;
  }
  return out;
}

} // namespace brewery
