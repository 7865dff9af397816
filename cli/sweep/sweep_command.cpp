/// `brewery sweep`.

#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/logging.hpp"
#include "cli/sweep/cluster_halving.hpp"
#include "cli/sweep/cluster_sweep.hpp"
#include "cli/sweep/sweep_estimate.hpp"
#include "cli/sweep/sweep_progress.hpp"
#include "cli/sweep/sweep_text.hpp"
#include "cli/terminal.hpp"
#include "config/load.hpp"
#include "run/interrupt.hpp"
#include "store/run_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace brewery {

namespace {

constexpr const char* sweep_footer =
    "FILE names a base configuration, seeds, and points by a grid or by name. "
    "Each point runs with\neach seed, as an ordinary run in DIR/POINT-sSEED. "
    "What several runs need, as first rollouts,\nconcepts and the test "
    "without documents, is played once. After a stop or a kill --resume\ngoes "
    "on. A finished sweep is extended by the file with more seeds, points or "
    "iterations.\nWith [halving] in FILE the worst points are cut early, by "
    "their reward on eval tasks.\n\nExamples:\n  brewery sweep "
    "config/sweeps/table5.toml --estimate\n  brewery sweep "
    "config/sweeps/table5.toml --out table5\n  brewery sweep "
    "config/sweeps/table5.toml --out table5 --group table5";

struct sweep_arguments {
  std::string file, out;
  std::string group; ///< not empty: on a coordinator
  connection_arguments connection;
  bool resume = false, estimate = false, json = false, quiet = false;
};

/// Of the plan's runs, those that --out has finished already.
std::size_t finished_in(const std::string& out, const sweep_plan& plan) {
  const auto before = read_sweep_state(out);
  const auto state = before ? extended(plan, *before) : before;
  if (!state) return 0; // a sweep would say what is wrong with it
  std::size_t finished = 0;
  for (std::size_t i = 0; i < plan.points.size(); ++i)
    finished += static_cast<std::size_t>(std::ranges::count(
        state->points[i].runs, sweep_run_state::finished, &sweep_run::state));
  return finished;
}

int print_estimate(const sweep_plan& plan, const sweep_arguments& arguments) {
  const auto made = estimate_sweep(plan);
  if (!made) return report(made.error());
  const auto text =
      arguments.json ? json_line(estimate_json(*made)) : estimate_text(*made);
  std::fputs(text.c_str(), stdout);
  const auto known =
      arguments.out.empty() ? 0 : finished_in(arguments.out, plan);
  if (known > 0)
    std::fprintf(
        stderr,
        "brewery: note: %s finished in %s: what they played is not "
        "subtracted, though it is not played again\n",
        (counted(known, "run") + (known == 1 ? " is" : " are")).c_str(),
        arguments.out.c_str());
  return exit_ok;
}

/// Data that cannot be read has been refused by then.
void print_totals(const sweep_plan& plan) {
  if (const auto made = estimate_sweep(plan))
    std::fputs(estimate_totals(*made).c_str(), stderr);
}

bool is_finished(const sweep_state& state) {
  for (const auto& point : state.points)
    for (const auto& run : point.runs)
      if (run.state != sweep_run_state::finished
          && run.state != sweep_run_state::cut)
        return false;
  return true;
}

/// Error: there is something else in it.
result<void> is_free(const std::string& out) {
  std::error_code ignored;
  if (std::filesystem::exists(out, ignored)
      && !std::filesystem::is_empty(out, ignored))
    return error{ec::already_exists,
                 fmt::format("--out {}: is not empty, and has no sweep", out)};
  return {};
}

bool has_runs_of(const sweep_plan& plan, const std::filesystem::path& out) {
  for (const auto& point : plan.points)
    for (const auto seed : plan.seeds)
      if (run_directory::open(out, sweep_run_id(point.name, seed))) return true;
  return false;
}

/// What a sweep came to is in the logs of its runs, so its own file can be made
/// anew from them. A damaged one is set aside.
result<sweep_state> begin_anew(const std::filesystem::path& out) {
  const auto file = sweep_state_file(out);
  auto aside = file;
  aside += ".damaged";
  std::error_code failed;
  if (std::filesystem::exists(file, failed))
    std::filesystem::rename(file, aside, failed);
  if (failed)
    return error{ec::io,
                 fmt::format("{}: {}", file.string(), failed.message())};
  if (auto ok = write_sweep_state(out, {}); !ok) return ok.error();
  std::fprintf(stderr, "brewery: note: %s is made anew from the runs' logs\n",
               file.c_str());
  return sweep_state{};
}

/// What the directory has of the sweep by now. Error: it is not to be used.
result<sweep_state> state_before(const sweep_arguments& arguments,
                                 const sweep_plan& plan) {
  const std::filesystem::path out{arguments.out};
  auto before = read_sweep_state(out);
  if (before) {
    if (is_finished(*before) || arguments.resume) return before;
    return error{ec::already_exists,
                 fmt::format("{} has a sweep that is not finished: go on with "
                             "--resume",
                             arguments.out)};
  }
  const bool damaged = before.error().code == ec::corrupt;
  if (!damaged && before.error().code != ec::not_found) return before.error();
  if (arguments.resume && has_runs_of(plan, out)) return begin_anew(out);
  if (damaged)
    return error{ec::corrupt, before.error().message
                                  + "; --resume makes it anew from the logs of "
                                    "the runs beside it"};
  if (arguments.resume)
    return error{ec::not_found,
                 fmt::format("--resume: {} has no sweep", arguments.out)};
  if (auto ok = is_free(arguments.out); !ok) return ok.error();
  return sweep_state{};
}

int finish_sweep(const result<sweep_outcome>& played,
                 const sweep_arguments& arguments, bool halved) {
  if (!played) {
    auto problem = played.error();
    const auto resume = fmt::format(
        "brewery sweep {} --out {} {}", arguments.file, arguments.out,
        arguments.group.empty() ? "--resume" : "--group " + arguments.group);
    if (problem.code == ec::cancelled && !arguments.group.empty())
      problem.message = fmt::format(
          "the coordinator goes on{}; the same command waits again, `brewery "
          "cancel --group {}` stops it",
          halved ? " to the next rung" : "", arguments.group);
    else if (problem.code == ec::cancelled)
      problem.message = fmt::format(
          "stopped; all finished work is saved, continue with `{}`", resume);
    else if (problem.code == ec::over_budget)
      problem.message +=
          fmt::format("; raise it and continue with `{}`", resume);
    return report(problem);
  }
  const auto text =
      arguments.json ? json_line(sweep_json(*played)) : sweep_table(*played);
  std::fputs(text.c_str(), stdout);
  std::vector<error> failed;
  for (const auto& point : played->state.points)
    for (const auto& run : point.runs)
      if (run.state == sweep_run_state::failed)
        failed.push_back(
            {ec::exhausted, "run " + run.run + " failed: " + run.reason});
      else if (!run.reason.empty())
        failed.push_back(
            {ec::exhausted, "run " + run.run + " was " + run.reason});
  return report(failed);
}

/// Submits and waits. Without a directory it only submits, and says so.
std::optional<result<sweep_outcome>>
play_on_cluster(const sweep_plan& plan, const cluster_sweep& how,
                const sweep_observer& observer) {
  if (plan.halving) return play_halved_sweep(plan, how, observer);
  const auto added = submit_sweep(plan, how);
  if (!added) return added.error();
  if (!how.out.empty()) return await_sweep(plan, how, observer);
  fmt::print("group {}: {}, {} new\n", how.group, counted(plan.runs(), "run"),
             *added);
  return std::nullopt;
}

/// The coordinator's machine has the data, so it checks the runs.
int sweep_on_cluster(const sweep_plan& plan, const sweep_arguments& arguments) {
  cluster_sweep how{arguments.connection, arguments.group, {}};
  if (!arguments.out.empty())
    how.out = std::filesystem::absolute(arguments.out).lexically_normal();
  if (auto ok = can_play_on_cluster(plan, how); !ok) return report(ok.error());
  if (!how.out.empty()) {
    const auto before = read_sweep_state(how.out);
    if (!before && before.error().code != ec::not_found)
      return report(before.error());
    if (!before)
      if (auto ok = is_free(arguments.out); !ok) return report(ok.error());
    if (auto ok = make_directories(how.out); !ok) return report(ok.error());
  }
  sweep_progress meter{choose_progress(arguments.json, arguments.quiet)};
  const auto played = play_on_cluster(
      plan, how,
      {[] { std::fputs("\nbrewery: no longer waiting\n", stderr); },
       [&](const sweep_view& view) {
         meter.show(view, std::chrono::steady_clock::now());
       },
       [&](const error& why) {
         meter.finish();
         std::fprintf(stderr,
                      "brewery: note: waiting for the coordinator to come "
                      "back: %s\n",
                      printable(why.message).c_str());
       }});
  meter.finish();
  return played ? finish_sweep(*played, arguments, plan.halving.has_value())
                : int{exit_ok};
}

int sweep_command(const sweep_arguments& arguments) {
  interrupt_watch::block_signals();
  const auto here = working_directory();
  if (!here) {
    report(here.error());
    return exit_usage;
  }
  const auto plan = load_sweep({.file = arguments.file,
                                .environment = brewery_environment(),
                                .working_directory = *here,
                                .installed = installed_data()});
  if (!plan) {
    report(plan.error());
    return exit_usage;
  }
  if (arguments.estimate) return print_estimate(*plan, arguments);
  if (!arguments.group.empty()) return sweep_on_cluster(*plan, arguments);
  if (arguments.out.empty())
    return report(
        error{ec::invalid_argument, "say where the runs go: --out DIRECTORY"});
  const auto directory =
      std::filesystem::absolute(arguments.out).lexically_normal();
  const auto before = state_before(arguments, *plan);
  if (!before) return report(before.error());
  set_up_logging(plan->points.front().options.run.log_level);
  if (auto ok = can_sweep(*plan, *before, directory); !ok)
    return report(ok.error());
  if (auto ok = make_directories(directory); !ok) return report(ok.error());
  if (!arguments.quiet && !arguments.json) print_totals(*plan);
  sweep_progress meter{choose_progress(arguments.json, arguments.quiet)};
  const auto played = play_sweep(
      *plan, directory,
      {[] {
         std::fputs("\nbrewery: stopping; running rollouts are finished and "
                    "saved (Ctrl-C again: stop at once)\n",
                    stderr);
       },
       [&](const sweep_view& view) {
         meter.show(view, std::chrono::steady_clock::now());
       }});
  meter.finish();
  return finish_sweep(played, arguments, false);
}

} // namespace

void add_sweep_command(CLI::App& app, chosen_command& chosen) {
  auto* command = add_command(
      app, "sweep", "Run points with seeds, sharing what they have in common.",
      sweep_footer);
  auto arguments = std::make_shared<sweep_arguments>();
  command->add_option("FILE", arguments->file, "File of the sweep (TOML).")
      ->required();
  command
      ->add_option("--out", arguments->out,
                   "Directory for the runs and sweep.json.")
      ->check(not_empty);
  command
      ->add_option(
          "--group", arguments->group,
          "Let a coordinator play the runs, as the group of this name; "
          "--out waits and fetches.")
      ->check(not_empty);
  add_connection_options(*command, arguments->connection);
  add_patience_option(*command, arguments->connection);
  command->add_flag("--resume", arguments->resume,
                    "Go on with a sweep that was stopped or killed.");
  command->add_flag("--estimate", arguments->estimate,
                    "Only say how many rollouts it would take, and what they "
                    "would cost.");
  command->add_flag("--json", arguments->json,
                    "Progress and results as JSON lines.");
  command->add_flag("--quiet", arguments->quiet, "No progress.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return sweep_command(*arguments); };
  });
}

} // namespace brewery
