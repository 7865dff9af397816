/// `brewery run` and `brewery resume`.

#include "apps/commands.hpp"
#include "apps/configuration.hpp"
#include "apps/interrupt.hpp"
#include "apps/json_line.hpp"
#include "apps/locate.hpp"
#include "apps/logging.hpp"
#include "apps/session.hpp"
#include "apps/terminal.hpp"
#include "base/file.hpp"
#include "config/print.hpp"

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
        "stopped; everything finished is kept, continue with `{}`", resume);
  else if (problem.code == ec::disk_full || problem.code == ec::io)
    problem.message += fmt::format(
        "; nothing acknowledged is lost, make room and continue with `{}`",
        resume);
  return report(problem);
}

result<run_directory> make_directory(const config& options,
                                     const std::string& id) {
  if (!id.empty()) return run_directory::create(options.run.runs_dir, id);
  return run_directory::create_new(
      options.run.runs_dir, std::chrono::system_clock::now(), options.run.name);
}

int go_on(config options, run_directory directory,
          std::shared_ptr<event_log> log, bool json, bool quiet) {
  set_up_logging(options.run.log_level);
  session_inputs inputs{
      std::move(options), directory, std::move(log), {}, false};
  return finish(run_session(std::move(inputs), choose_progress(json, quiet)),
                directory, json);
}

} // namespace

int run_command(const run_arguments& arguments) {
  interrupt_watch::block_signals();
  const auto configuration = usable_config_from(arguments.configuration);
  if (configuration.code != exit_ok) return configuration.code;
  // Before anything is written: bad data must leave no half-made run behind.
  if (const auto what = load_problem(configuration.value); !what)
    return report(what.error());
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
  return go_on(configuration.value, *directory, std::move(*log), arguments.json,
               arguments.quiet);
}

int resume_command(const resume_arguments& arguments) {
  interrupt_watch::block_signals();
  const auto path = locate_run(arguments.run, runs_directory({}));
  if (!path) return report(path.error());
  const auto directory =
      run_directory::open(path->parent_path(), path->filename().string());
  if (!directory) return report(directory.error());
  // Only what the run was started with: not the environment of today.
  const auto loaded =
      load_config({.file = std::filesystem::absolute(directory->config()),
                   .overrides = {},
                   .environment = {},
                   .working_directory = directory->path()});
  if (!loaded.problems.empty()) return report(loaded.problems);
  auto log = event_log::open(directory->path());
  if (!log) return report(log.error());
  return go_on(loaded.value, *directory, std::move(*log), arguments.json,
               false);
}

} // namespace brewery
