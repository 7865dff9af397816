/// `brewery runs`.

#include "actors/model_recording.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "report/run_overview_json.hpp"
#include "store/submission.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace brewery {

namespace {

constexpr const char* runs_footer =
    "Prints one line per run directory to standard output: state, completed "
    "iterations, start (UTC),\nduration over all sessions, seed, cost of "
    "language models, and score: the success of the\npublished documents in "
    "the final evaluation,\nand the share of attempts without a score, if "
    "there "
    "are any. --json adds concepts, rewards and all\n"
    "evaluations.\n\n`brewery resume ID` continues an interrupted, cancelled "
    "or failed run. A run that cannot be\nread is listed too, with the reason "
    "on standard error, and the exit code is 1. No run is changed,\nso "
    "runs of others can be listed; where it may write, SQLite can leave an "
    "empty events.db-wal and an\nevents.db-shm beside a log.\n\nExamples:\n  "
    "brewery runs\n  brewery runs first\n  brewery runs --json | jq "
    "'select(.state == \"interrupted\") | .id'";

struct runs_arguments {
  std::vector<std::string> only; ///< runs; empty: all of the directory
  std::string runs_dir;
  std::string group; ///< empty: all
  bool json = false;
};

/// In two units at most: "7 s", "3 min 20 s", "5 h 2 min".
std::string duration_text(double spent) {
  const auto whole = static_cast<std::uint64_t>(spent);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string start_text(std::int64_t started_ms) {
  if (started_ms <= 0) return "-";
  return fmt::format("{:%Y-%m-%d %H:%M}",
                     fmt::gmtime(static_cast<std::time_t>(started_ms / 1000)));
}

/// With the share that it does not count, if there is any.
std::string score_text(const run_overview& run) {
  if (!run.score) return "-";
  auto out = fmt::format("{:.1f} %", 100 * *run.score);
  if (run.unscored_share > 0)
    out += fmt::format(" ({:.1f} % no score)", 100 * run.unscored_share);
  return out;
}

std::vector<std::string> row_of(const run_overview& run) {
  if (run.state == run_state::unreadable)
    return {run.id, std::string{to_string(run.state)}, "-", "-", "-", "-", "-",
            "-"};
  return {run.id,
          std::string{to_string(run.state)},
          run.has_options ? fmt::format("{}/{}", run.iteration, run.iterations)
                          : "-",
          start_text(run.started_ms),
          duration_text(run.seconds),
          run.has_options ? std::to_string(run.seed) : "-",
          run.cost_usd > 0 ? fmt::format("${:.2f}", run.cost_usd) : "-",
          score_text(run)};
}

bool is_of(const run_directory& run, const std::string& group) {
  const auto about = read_submission(run);
  return about && about->group == group;
}

result<std::vector<run_directory>> runs_of(const runs_arguments& arguments,
                                           const std::filesystem::path& root) {
  std::error_code ignored;
  if (const auto by = runs_directory_named_by(arguments.runs_dir);
      !by.empty() && !std::filesystem::exists(root, ignored))
    return error{ec::not_found,
                 fmt::format("{}: there is no directory {}", by,
                             arguments.runs_dir.empty() ? root.string()
                                                        : arguments.runs_dir)};
  if (arguments.only.empty()) return run_directory::list(root);
  std::vector<run_directory> out;
  for (const auto& name : arguments.only) {
    const auto at = locate_run(name, root);
    if (!at) return at.error();
    const auto whole = std::filesystem::absolute(*at);
    auto run =
        run_directory::open(whole.parent_path(), whole.filename().string());
    if (!run) return run.error();
    out.push_back(std::move(*run));
  }
  return out;
}

int runs_command(const runs_arguments& arguments) {
  const auto root = runs_directory(arguments.runs_dir);
  const auto runs = runs_of(arguments, root);
  if (!runs) return report(runs.error());
  std::vector<std::vector<std::string>> rows{{"run", "state", "iteration",
                                              "started", "took", "seed", "cost",
                                              "score"}};
  std::string reasons;
  std::vector<error> problems;
  for (const auto& run : *runs) {
    if (!arguments.group.empty() && !is_of(run, arguments.group)) continue;
    auto about = overview_of(run, std::chrono::system_clock::now());
    if (!about.reason.empty())
      reasons += fmt::format("{} {}: {}\n", about.id, to_string(about.state),
                             printable(about.reason));
    // Read only where it is needed, as a recording may be large: a kill leaves
    // the cost that was stored last.
    const bool killed = was_killed(run, about);
    const auto spend =
        arguments.json || killed ? recorded_spend(run.path()) : model_spend{};
    if (spend && killed)
      about.cost_usd = std::max(about.cost_usd, cost_usd_of(*spend));
    if (!spend) problems.push_back(spend.error());
    if (!about.problem.empty()) problems.push_back({ec::io, about.problem});
    if (arguments.json) {
      auto item = overview_json(about);
      if (spend && !spend->lines.empty()) item["spend"] = spend_json(*spend);
      std::fputs(json_line("run", item).c_str(), stdout);
    } else {
      rows.push_back(row_of(about));
    }
  }
  if (!arguments.json)
    std::fputs(rows.size() > 1 ? (table(rows) + reasons).c_str()
                               : ("no runs in " + root.string() + '\n').c_str(),
               stdout);
  return report(problems);
}

} // namespace

void add_runs_command(CLI::App& app, chosen_command& chosen) {
  auto* command = add_command(
      app, "runs", "List runs, their state, cost and score.", runs_footer);
  auto arguments = std::make_shared<runs_arguments>();
  command->add_option("RUN", arguments->only,
                      "Run ids or run directories; default: all.");
  add_runs_dir_option(*command, arguments->runs_dir);
  command
      ->add_option("--group", arguments->group,
                   "Only a coordinator's runs of this group.")
      ->check(not_empty);
  command->add_flag("--json", arguments->json,
                    "JSON lines on standard output.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return runs_command(*arguments); };
  });
}

} // namespace brewery
