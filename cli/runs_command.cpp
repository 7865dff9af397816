/// `brewery runs`.

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal.hpp"
#include "report/run_overview.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* runs_footer =
    "Prints one line per run directory to standard output: state, completed "
    "iterations, concepts,\nmean reward of the best documents, and the success "
    "rate of each evaluation. `brewery resume\nID` continues an interrupted "
    "run. A run that cannot be read is listed too, with the reason\non "
    "standard error, and the exit code is 1.\n\nExamples:\n  brewery runs\n  "
    "brewery runs --json | jq 'select(.state == \"interrupted\") | .id'";

struct runs_arguments {
  std::string runs_dir;
  bool json = false;
};

std::string arms_text(const run_overview& run) {
  std::vector<std::string> parts;
  for (const auto& arm : run.arms)
    parts.push_back(fmt::format("{} {:.3f}", arm.name, arm.reward));
  return parts.empty() ? "-" : join(parts, ", ");
}

std::vector<std::string> row_of(const run_overview& run) {
  const bool scored = run.concepts > 0;
  return {run.id,
          std::string{to_string(run.state)},
          fmt::format("{}/{}", run.iteration, run.iterations),
          std::to_string(run.concepts),
          std::to_string(run.events),
          scored ? fmt::format("{:.3f}", run.reward) : "-",
          printable(arms_text(run))};
}

nlohmann::ordered_json json_of(const run_overview& run) {
  auto arms = nlohmann::ordered_json::array();
  for (const auto& arm : run.arms)
    arms.push_back({{"name", arm.name},
                    {"split", arm.split},
                    {"tasks", arm.tasks},
                    {"reward", arm.reward}});
  nlohmann::ordered_json out{{"id", run.id},
                             {"state", to_string(run.state)},
                             {"iteration", run.iteration},
                             {"iterations", run.iterations},
                             {"concepts", run.concepts},
                             {"events", run.events},
                             {"reward", run.reward},
                             {"evaluations", std::move(arms)}};
  if (run.late_reports > 0) out["late_reports"] = run.late_reports;
  if (!run.problem.empty()) out["problem"] = run.problem;
  return out;
}

int runs_command(const runs_arguments& arguments) {
  const auto root = runs_directory(arguments.runs_dir);
  const auto runs = run_directory::list(root);
  if (!runs) return report(runs.error());
  std::vector<std::vector<std::string>> rows{
      {"run", "state", "iteration", "concepts", "events", "reward", "success"}};
  std::vector<error> problems;
  for (const auto& run : *runs) {
    const auto about = overview_of(run);
    if (!about.problem.empty()) problems.push_back({ec::io, about.problem});
    if (arguments.json) {
      const auto line = json_line(json_of(about));
      std::fputs(line.c_str(), stdout);
    } else {
      rows.push_back(row_of(about));
    }
  }
  if (!arguments.json)
    std::fputs(rows.size() > 1 ? table(rows).c_str()
                               : ("no runs in " + root.string() + '\n').c_str(),
               stdout);
  return report(problems);
}

} // namespace

void add_runs_command(CLI::App& app, chosen_command& chosen) {
  auto* command = add_command(
      app, "runs", "List runs, their state and rewards.", runs_footer);
  auto arguments = std::make_shared<runs_arguments>();
  command->add_option("--runs-dir", arguments->runs_dir,
                      "Directory of runs; default: run.runs_dir.");
  command->add_flag("--json", arguments->json,
                    "JSON lines on standard output.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return runs_command(*arguments); };
  });
}

} // namespace brewery
