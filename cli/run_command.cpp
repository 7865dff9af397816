/// `brewery run` and `brewery resume`.

#include "base/file.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/logging.hpp"
#include "cli/progress_printer.hpp"
#include "cli/terminal.hpp"
#include "config/print.hpp"
#include "run/interrupt.hpp"
#include "run/run_lifecycle.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

int finish(const result<run_summary>& summary, const run_directory& directory,
           bool json) {
  if (summary) {
    const auto text =
        json ? json_line(summary_json(*summary)) : summary_text(*summary);
    std::fputs(text.c_str(), stdout);
    return exit_ok;
  }
  auto problem = summary.error();
  const auto resume =
      fmt::format("brewery resume {}", directory.path().string());
  if (problem.code == ec::cancelled)
    problem.message = fmt::format(
        "stopped; all finished work is saved, continue with `{}`", resume);
  else if (problem.code == ec::over_budget)
    problem.message += fmt::format(
        "; the documents so far are in {}; continue with `{} --set "
        "budget.max_cost_usd=AMOUNT` (or the limit that was reached)",
        directory.documents().string(), resume);
  else if (problem.code == ec::unauthorized)
    problem.message += fmt::format("; then continue with `{}`", resume);
  else if (problem.code == ec::disk_full || problem.code == ec::io)
    problem.message += fmt::format("; nothing acknowledged is lost; free some "
                                   "space and continue with `{}`",
                                   resume);
  return report(problem);
}

/// Options that may change when a run resumes.
bool may_change(const std::string& key) {
  for (const char* section : {"run.", "cluster.", "models.", "budget."})
    if (key.starts_with(section)) return key != "run.seed";
  return false;
}

/// Checks catalog, keys and recording before a run directory is created.
result<void> ready_models(const config& options,
                          const std::filesystem::path& replay) {
  if (models_used(options).empty()) return {};
  const auto service = model_service::start(
      options.models.catalog, std::make_shared<process_metrics>());
  if (!service) return service.error();
  if (!replay.empty())
    if (const auto recorded = model_recording::open_for_replay(replay);
        !recorded)
      return recorded.error();
  return (*service)->check(options);
}

result<run_directory> make_directory(const config& options,
                                     const std::string& id) {
  if (!id.empty()) return run_directory::create(options.run.runs_dir, id);
  return run_directory::create_new(
      options.run.runs_dir, std::chrono::system_clock::now(), options.run.name);
}

/// The directory of the run whose model calls are replayed; empty: none.
result<std::filesystem::path> replayed_run(const std::string& run,
                                           const config& options) {
  if (run.empty()) return std::filesystem::path{};
  return locate_run(run, options.run.runs_dir);
}

int go_on(config options, const problem& what, run_directory directory,
          std::shared_ptr<event_log> log, const std::filesystem::path& replay,
          bool json, bool quiet) {
  run_inputs inputs{
      std::move(options), directory, std::move(log), {}, false, {}, replay};
  progress_printer printer{choose_progress(json, quiet)};
  const run_observer observer{
      [] {
        std::fputs("\nbrewery: stopping; running rollouts are finished and "
                   "saved (Ctrl-C again: stop at once)\n",
                   stderr);
      },
      [&](const progress_view& view) {
        printer.show(view, std::chrono::steady_clock::now());
      }};
  const auto summary = run_to_end(std::move(inputs), what, observer);
  printer.finish();
  return finish(summary, directory, json);
}

} // namespace

int run_command(const run_arguments& arguments) {
  interrupt_watch::block_signals();
  const auto configuration = usable_config_from(arguments.configuration);
  if (configuration.code != exit_ok) return configuration.code;
  set_up_logging(configuration.value.run.log_level);
  // Loaded before anything is written, so bad data leaves no unfinished run.
  const auto what = load_problem(configuration.value);
  if (!what) return report(what.error());
  const auto replay = replayed_run(arguments.replay, configuration.value);
  if (!replay) return report(replay.error());
  if (const auto ready = ready_models(configuration.value, *replay); !ready)
    return report(ready.error());
  const auto directory = make_directory(configuration.value, arguments.id);
  if (!directory) return report(directory.error());
  if (auto ok = write_file_atomically(directory->config(),
                                      to_toml(configuration.value));
      !ok)
    return report(ok.error());
  auto log = event_log::create(directory->path());
  if (!log) return report(log.error());
  if (!arguments.json && !arguments.quiet)
    std::fprintf(stderr, "run %s in %s\n", directory->id().c_str(),
                 directory->path().c_str());
  return go_on(configuration.value, *what, *directory, std::move(*log), *replay,
               arguments.json, arguments.quiet);
}

int resume_command(const resume_arguments& arguments) {
  interrupt_watch::block_signals();
  const auto path = locate_run(arguments.run, runs_directory({}));
  if (!path) return report(path.error());
  const auto directory =
      run_directory::open(path->parent_path(), path->filename().string());
  if (!directory) return report(directory.error());
  // The configuration from the run's start, without today's environment
  // variables.
  const auto loaded =
      load_config({.file = std::filesystem::absolute(directory->config()),
                   .overrides = arguments.overrides,
                   .environment = {},
                   .working_directory = std::filesystem::current_path()});
  if (!loaded.problems.empty()) return report(loaded.problems);
  for (const auto& [key, origin] : loaded.origins)
    if (origin == "--set" && !may_change(key))
      return report(error{
          ec::invalid_argument,
          fmt::format(
              "--set {}: results depend on it, so a run keeps its first value; "
              "only run.*, cluster.*, models.* and budget.* can be changed",
              key)});
  const auto replay = replayed_run(arguments.replay, loaded.value);
  if (!replay) return report(replay.error());
  auto log = event_log::open(directory->path());
  if (!log) return report(log.error());
  set_up_logging(loaded.value.run.log_level);
  const auto what = load_problem(loaded.value);
  if (!what) return report(what.error());
  return go_on(loaded.value, *what, *directory, std::move(*log), *replay,
               arguments.json, false);
}

} // namespace brewery
