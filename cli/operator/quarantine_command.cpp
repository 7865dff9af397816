/// `brewery quarantine`.

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/operator/operator_client.hpp"
#include "cli/terminal.hpp"
#include "run/resume/failed_jobs.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* quarantine_footer =
    "A job that fails on three workers, or crashes ten, is quarantined: its "
    "barrier closes without\nit, and it has no score. Nor has a rollout whose "
    "environment broke. `list` names both, `retry`\nruns them again: later "
    "decisions are made again, all other results are kept. Replies of\nmodels "
    "that were refused are asked for anew. Without --local a coordinator is "
    "asked; with it,\nthe run's own log is read and written. `brewery resume "
    "RUN "
    "--retry-failed` does that and\ncontinues the run.\n\nExamples:\n  "
    "brewery quarantine list\n  brewery quarantine retry wide\n  brewery "
    "quarantine list first --local";

struct quarantine_arguments {
  connection_arguments connection;
  std::string run;
  std::string job;
  std::string runs_dir;
  bool local = false;
  bool json = false;
};

/// The one that is named, else all.
result<std::vector<run_directory>>
local_runs(const quarantine_arguments& arguments) {
  const auto root = runs_directory(arguments.runs_dir);
  if (arguments.run.empty()) return run_directory::list(root);
  const auto path = locate_run(arguments.run, root);
  if (!path) return path.error();
  auto run =
      run_directory::open(path->parent_path(), path->filename().string());
  if (!run) return run.error();
  return std::vector{std::move(*run)};
}

struct listed_jobs {
  nlohmann::ordered_json jobs = nlohmann::ordered_json::array();
  std::vector<error> unread; ///< one for each run that cannot be read
};

listed_jobs list_local(const std::vector<run_directory>& runs, bool all) {
  listed_jobs out;
  std::error_code ignored;
  for (const auto& run : runs) {
    // One of all that has not begun has no log, and no failed job.
    if (all && !std::filesystem::exists(run.events(), ignored)
        && !std::filesystem::exists(run.path() / "events.ack", ignored))
      continue;
    const auto found = read_failed(run);
    if (!found) {
      out.unread.push_back(found.error());
      continue;
    }
    for (const auto& [job, reason] : *found)
      out.jobs.push_back(
          {{"run", run.id()}, {"job", job.value}, {"reason", reason}});
  }
  return out;
}

result<listed_jobs> list(const quarantine_arguments& arguments) {
  if (arguments.local) {
    const auto runs = local_runs(arguments);
    if (!runs) return runs.error();
    return list_local(*runs, arguments.run.empty());
  }
  auto answer = ask_coordinator(
      arguments.connection, "quarantine",
      arguments.run.empty()
          ? std::map<std::string, std::string>{}
          : std::map<std::string, std::string>{{"id", arguments.run}},
      operator_client::sending::repeat);
  if (!answer) return answer.error();
  return listed_jobs{std::move(*answer), {}};
}

int list_command(const quarantine_arguments& arguments) {
  const auto listed = list(arguments);
  if (!listed) return report(listed.error());
  std::vector<std::vector<std::string>> rows{{"run", "job", "reason"}};
  for (const auto& job : listed->jobs) {
    if (arguments.json)
      std::fputs(json_line("failed_job", job).c_str(), stdout);
    else
      rows.push_back({job["run"].get<std::string>(),
                      job["job"].get<std::string>(),
                      job["reason"].get<std::string>()});
  }
  if (!arguments.json && rows.size() > 1)
    std::fputs(printable(fitted_table(rows)).c_str(), stdout);
  else if (!arguments.json && listed->unread.empty())
    std::fputs("no job has failed\n", stdout);
  return listed->unread.empty() ? exit_ok : report(listed->unread);
}

int retry_command(const quarantine_arguments& arguments) {
  result<std::size_t> count = std::size_t{0};
  std::string found;
  if (arguments.local) {
    const auto path =
        locate_run(arguments.run, runs_directory(arguments.runs_dir));
    if (!path) return report(path.error());
    const auto run =
        run_directory::open(path->parent_path(), path->filename().string());
    if (!run) return report(run.error());
    found = path->string();
    count = retry_failed(*run, arguments.job);
  } else {
    const auto answer =
        ask_coordinator(arguments.connection, "retry",
                        {{"id", arguments.run}, {"job", arguments.job}});
    if (!answer) return report(answer.error());
    count = (*answer)["jobs"].get<std::size_t>();
  }
  if (!count) return report(count.error());
  fmt::print("{} will run again{}\n", counted(*count, "job"),
             arguments.local ? fmt::format(
                 "; continue with `{}`",
                 command_to_resume(
                     found, arguments.runs_dir.empty() ? arguments.run : found))
                             : "");
  return exit_ok;
}

} // namespace

void add_quarantine_commands(CLI::App& app, chosen_command& chosen) {
  auto* all = add_command(app, "quarantine", "List or retry failed jobs.",
                          quarantine_footer);
  all->require_subcommand(1);
  const auto add = [&](const std::string& name, const std::string& sentence,
                       int (*run)(const quarantine_arguments&)) {
    auto arguments = std::make_shared<quarantine_arguments>();
    auto* command = all->add_subcommand(name, sentence);
    add_connection_options(*command, arguments->connection);
    add_patience_option(*command, arguments->connection);
    auto* local =
        command->add_flag("--local", arguments->local,
                          "Use the run's log directly, without a coordinator.");
    add_runs_dir_option(*command, arguments->runs_dir)->needs(local);
    auto* which = command->add_option("RUN", arguments->run, "Id of the run.");
    if (name == "retry") {
      which->required();
      command->add_option("JOB", arguments->job, "Only this job.");
    } else {
      command->add_flag("--json", arguments->json,
                        "JSON lines on standard output.");
    }
    command->callback([arguments, run, &chosen] {
      chosen = [=] { return run(*arguments); };
    });
  };
  add("list", "List failed jobs with the reason.", list_command);
  add("retry", "Run failed jobs again.", retry_command);
}

} // namespace brewery
