/// `brewery run` and `brewery resume`.

#include "base/file.hpp"
#include "base/text.hpp"
#include "base/toml_reader.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/logging.hpp"
#include "cli/progress_printer.hpp"
#include "cli/terminal.hpp"
#include "config/option.hpp"
#include "config/print.hpp"
#include "report/arm_rollouts.hpp"
#include "run/interrupt.hpp"
#include "run/resume/failed_jobs.hpp"
#include "run/resume/replayed_run.hpp"
#include "run/resume/stored_options.hpp"
#include "run/resume/stored_summary.hpp"
#include "run/run_lifecycle.hpp"
#include "run/setup/run_checks.hpp"
#include "store/run_status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace brewery {

namespace {

/// The command that continues the run. A replay stays one.
std::string command_to_go_on(const run_directory& run,
                             const std::filesystem::path& replay) {
  auto out = "brewery resume " + shell_word(run.path().string());
  if (!replay.empty()) out += " --replay " + shell_word(replay.string());
  return out;
}

/// Whether the run could not read or write a file of its own: errors of files
/// name them, and one of the user's files is not mended by space on the disk.
bool is_of_its_disk(const error& why, const run_directory& run) {
  return why.code == ec::disk_full
         || (why.code == ec::io
             && why.message.find(run.path().string()) != std::string::npos);
}

int finish(const result<run_summary>& summary, const run_directory& directory,
           bool json, const std::filesystem::path& replay = {}) {
  if (summary) {
    const auto text =
        json ? json_line(summary_json(*summary)) : summary_text(*summary);
    std::fputs(text.c_str(), stdout);
    return exit_ok;
  }
  auto problem = summary.error();
  const auto resume = command_to_go_on(directory, replay);
  if (problem.code == ec::cancelled)
    problem.message = fmt::format(
        "stopped; all finished work is saved, continue with `{}`", resume);
  else if (problem.code == ec::over_budget)
    problem.message += fmt::format(
        "; the documents so far are in {}; continue with `{}`",
        directory.documents().string(), larger_budget(problem, resume));
  else if (is_of_its_disk(problem, directory))
    problem.message += fmt::format(
        "{}; nothing acknowledged is lost, go on with `{}`",
        problem.code == ec::io ? "; free some space or mend the disk" : "",
        resume);
  else if (const auto status = read_run_status(directory.path()))
    problem.message += status->state == run_state::interrupted
                           ? go_on_advice(problem, resume)
                           : retry_advice(problem, status->failed_jobs, resume);
  return report(problem);
}

result<run_directory> make_directory(const config& options,
                                     const std::string& id) {
  if (!id.empty())
    return run_directory::create_or_take(options.run.runs_dir, id);
  return run_directory::create_new(
      options.run.runs_dir, std::chrono::system_clock::now(), options.run.name);
}

/// The directory of the run whose model calls are replayed; empty: none.
result<std::filesystem::path> replayed_run(const std::string& run,
                                           const config& options) {
  if (run.empty()) return std::filesystem::path{};
  return locate_run(run, options.run.runs_dir);
}

/// The options by which a replay differs from the run that it repeats: "; its
/// configuration differs: agent.model = "small" -> "large"". Empty if none
/// does.
std::string replay_differences(const std::filesystem::path& replay,
                               const config& options) {
  constexpr std::size_t shown_max = 3;
  const auto run =
      run_directory::open(replay.parent_path(), replay.filename().string());
  if (!run) return {};
  const auto recorded = options_of(*run);
  if (!recorded) return {};
  std::vector<std::string> found;
  for (const auto& section : schema())
    for (const auto& item : section.options) {
      const auto before = write_toml(item.get(*recorded));
      const auto now = write_toml(item.get(options));
      if (before != now && !may_change(item.key()))
        found.push_back(fmt::format("{} = {} -> {}", item.key(), before, now));
    }
  if (found.empty()) return {};
  const auto more = found.size() > shown_max
                        ? fmt::format(" and {} more", found.size() - shown_max)
                        : std::string{};
  found.resize(std::min(found.size(), shown_max));
  return "; the configuration differs from that run's: " + join(found, ", ")
         + more;
}

int go_on(config options, const problem& what, run_directory directory,
          std::shared_ptr<event_log> log, const std::filesystem::path& replay,
          bool json, bool quiet) {
  const auto changed =
      replay.empty() ? std::string{} : replay_differences(replay, options);
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
  auto summary = run_to_end(std::move(inputs), what, observer);
  printer.finish();
  if (!summary && summary.error().code == ec::not_found)
    summary = error{ec::not_found, summary.error().message + changed};
  return finish(summary, directory, json, replay);
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
  if (auto ok = can_begin(configuration.value, *replay); !ok)
    return report(ok.error());
  if (auto ok = check_learners(configuration.value); !ok)
    return report(ok.error());
  if (auto ok = check_memory_port(configuration.value, *what->source); !ok)
    return report(ok.error());
  if (auto ok = check_starts(*what); !ok) return report(ok.error());
  if (auto ok = can_reuse(configuration.value, *what, *replay); !ok)
    return report(ok.error());
  if (auto ok = check_memory(configuration.value); !ok)
    return report(ok.error());
  const auto directory = make_directory(configuration.value, arguments.id);
  if (!directory) return report(directory.error());
  if (auto ok = remember_replay(*directory, *replay); !ok)
    return report(ok.error());
  auto log = begin_log(*directory, to_toml(configuration.value));
  if (!log) return report(log.error());
  if (!arguments.json && !arguments.quiet)
    std::fprintf(stderr, "run %s in %s\n", directory->id().c_str(),
                 directory->path().c_str());
  return go_on(configuration.value, *what, *directory, std::move(*log), *replay,
               arguments.json, arguments.quiet);
}

namespace {

result<loaded_config> options_to_resume(const resume_arguments& arguments,
                                        const run_directory& directory) {
  auto loaded = stored_options(directory, arguments.overrides);
  if (!loaded || !loaded->problems.empty()) return loaded;
  auto& iterations = loaded->value.search.iterations;
  if (arguments.iterations > 0 && arguments.iterations < iterations)
    return error{ec::invalid_argument,
                 fmt::format("--iterations {}: run {} has {} iterations "
                             "already; give more",
                             arguments.iterations, directory.id(), iterations)};
  iterations = std::max(iterations, arguments.iterations);
  return loaded;
}

/// A line for each option that differs from the run's start.
void tell_changes(const run_directory& directory, const loaded_config& now) {
  const auto before = stored_options(directory);
  if (!before) return;
  for (const auto& [key, was, is] : changes(before->value, now))
    std::fprintf(stderr, "%s: %s -> %s\n", key.c_str(), was.c_str(),
                 is.c_str());
}

/// The run whose recording answers: the one that is named, else the one that
/// answered before.
result<std::filesystem::path>
replayed_on_resume(const resume_arguments& arguments,
                   const run_directory& directory, const config& options) {
  if (!arguments.replay.empty()) return replayed_run(arguments.replay, options);
  auto before = replayed_by(directory);
  if (before && !before->empty())
    std::fprintf(stderr,
                 "brewery: note: model calls are answered from the recording "
                 "of %s, as before; to ask the servers instead, remove %s\n",
                 before->c_str(), replay_note(directory).c_str());
  return before;
}

/// Prints the results of a finished run; empty if it has to be executed.
std::optional<int> print_stored(const run_directory& directory,
                                const config& options, bool json) {
  const auto stored = stored_summary(directory, options);
  if (!stored) return report(stored.error());
  if (!*stored) return std::nullopt;
  return finish(**stored, directory, json);
}

/// Without an order to retry all, those that change no document. What is wrong
/// with a log that cannot be read, or is in use, is said when it is opened.
std::optional<failed_scope> to_retry(const resume_arguments& arguments,
                                     const run_directory& directory) {
  if (arguments.retry_failed) return failed_scope::all;
  const auto failed = read_failed(directory, failed_scope::undecided);
  if (!failed || failed->empty()) return std::nullopt;
  return failed_scope::undecided;
}

/// Writes what the arguments change for good: jobs to retry, and the number of
/// iterations. Other overrides hold for one session.
result<void> change_run(const resume_arguments& arguments,
                        const run_directory& directory, const config& options,
                        const problem& what,
                        const std::optional<failed_scope>& retry,
                        const std::filesystem::path& replay) {
  if (!retry && arguments.iterations == 0) return {};
  if (auto ok = can_go_on(directory, options, what, replay); !ok) return ok;
  if (retry) {
    const auto jobs = retry_failed(directory, {}, *retry);
    if (!jobs) return jobs.error();
    std::fprintf(stderr,
                 "trying %s again that the environment, a model or the machine "
                 "failed\n",
                 counted(*jobs, "job").c_str());
  }
  if (arguments.iterations == 0) return {};
  auto stored = stored_options(directory);
  if (!stored) return stored.error();
  auto& iterations = stored->value.search.iterations;
  if (iterations == arguments.iterations) return {};
  iterations = arguments.iterations;
  const auto lock = directory_lock::take(directory.path());
  if (!lock) return lock.error();
  return write_file_atomically(directory.config(), to_toml(stored->value));
}

} // namespace

int resume_command(const resume_arguments& arguments) {
  interrupt_watch::block_signals();
  const auto path =
      locate_run(arguments.run, runs_directory(arguments.runs_dir));
  if (!path) return report(path.error());
  const auto directory =
      run_directory::open(path->parent_path(), path->filename().string());
  if (!directory) return report(directory.error());
  if (!directory->has_begun()) {
    // Another process may be about to begin it.
    if (const auto lock = directory_lock::take(directory->path()); !lock)
      return report(lock.error());
    return report(error{
        ec::not_found,
        fmt::format("run {} has not begun, so there is nothing to resume: "
                    "begin it with `brewery run CONFIG --id {}`",
                    directory->path().string(), shell_word(directory->id()))});
  }
  const auto loaded = options_to_resume(arguments, *directory);
  if (!loaded) return report(loaded.error());
  if (!loaded->problems.empty()) {
    report(loaded->problems);
    return exit_usage;
  }
  const config& options = loaded->value;
  const auto retry = to_retry(arguments, *directory);
  if (!retry)
    if (const auto code = print_stored(*directory, options, arguments.json))
      return *code;
  const auto replay = replayed_on_resume(arguments, *directory, options);
  if (!replay) return report(replay.error());
  set_up_logging(options.run.log_level);
  // Before anything is written.
  const auto what = load_problem(options);
  if (!what) return report(what.error());
  if (auto ok = can_begin(options, *replay); !ok) return report(ok.error());
  if (const auto changed =
          change_run(arguments, *directory, options, *what, retry, *replay);
      !changed)
    return report(changed.error());
  auto log = event_log::open(directory->path());
  if (!log) return report(log.error());
  if (!replay->empty())
    if (auto ok = remember_replay(*directory, *replay); !ok)
      return report(ok.error());
  tell_changes(*directory, *loaded);
  return go_on(options, *what, *directory, std::move(*log), *replay,
               arguments.json, arguments.quiet);
}

} // namespace brewery
