/// `brewery regrade`: regrades the answers that a run stored.

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/logging.hpp"
#include "cli/progress_bar.hpp"
#include "cli/terminal.hpp"
#include "report/regrade.hpp"
#include "run/results.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* regrade_footer =
    "Grades the workbooks of a run's final evaluation again, with the current "
    "goldens and grader.\nIt runs no rollout and calls no model. The run is "
    "not changed. Grades that differ from the\nrecorded ones are listed with "
    "the first check that fails.\n\nExamples:\n  brewery regrade sheets\n  "
    "brewery regrade sheets --set "
    "environment.spreadsheet.position_parser=repaired\n  brewery regrade "
    "sheets --arm \"no KB\" --answers answers/";

struct regrade_arguments {
  std::string run, arm, answers, runs_dir;
  std::vector<std::string> overrides;
  bool json = false;
};

void print_changed(const changed_grade& one) {
  std::fputs(
      printable(fmt::format("{}, {}, trial {}: {} -> {}{}\n", one.arm,
                            one.task.value, one.trial + 1, one.before, one.now,
                            one.why.empty() ? "" : " (" + one.why + ")"))
          .c_str(),
      stdout);
}

void print_people(const regraded_run& run) {
  for (const auto& one : run.changed)
    print_changed(one);
  std::vector<std::vector<std::string>> rows{
      {"knowledge base", "attempts", "on record", "now", "without answers"}};
  std::vector<evaluation_record> records;
  for (const auto& arm : run.arms) {
    const bool any = arm.attempts > 0;
    rows.push_back({arm.name, std::to_string(arm.attempts),
                    any ? fmt::format("{:.1f} %", 100 * arm.before) : "-",
                    any ? fmt::format("{:.1f} %", 100 * arm.now) : "-",
                    std::to_string(arm.without_answers)});
    records.push_back({arm.name, {}, {}, {}, arm.checks});
  }
  auto text = fitted_table(rows);
  const auto checks = checks_text(records);
  if (!checks.empty()) text += "\n" + checks;
  text += fmt::format("\n{} changed; attempts with functions of time or "
                      "chance: {}\n",
                      counted(run.changed.size(), "grade"), run.unrepeatable);
  std::fputs(text.c_str(), stdout);
}

void print_json(const regraded_run& run) {
  for (const auto& one : run.changed)
    std::fputs(json_line({{"event", "changed"},
                          {"arm", one.arm},
                          {"task", one.task.value},
                          {"trial", one.trial},
                          {"before", one.before},
                          {"now", one.now},
                          {"why", one.why}})
                   .c_str(),
               stdout);
  for (const auto& arm : run.arms)
    std::fputs(json_line({{"event", "arm"},
                          {"name", arm.name},
                          {"attempts", arm.attempts},
                          {"before", arm.before},
                          {"now", arm.now},
                          {"without_answers", arm.without_answers},
                          {"checks", checks_json(arm.checks)}})
                   .c_str(),
               stdout);
}

int regrade_command(const regrade_arguments& arguments) {
  set_up_logging("warn");
  const auto run =
      locate_run(arguments.run, runs_directory(arguments.runs_dir));
  if (!run) return report(run.error());
  std::unique_ptr<progress_bar> meter;
  const auto done =
      regrade({.run = *run,
               .arm = arguments.arm,
               .overrides = arguments.overrides,
               .answers = arguments.answers,
               .on_begin =
                   [&](std::size_t total) {
                     meter = std::make_unique<progress_bar>("attempts", total);
                   },
               .on_step = [&] { meter->step(); }});
  meter.reset();
  if (!done) return report(done.error());
  print_hints(done->hints);
  if (arguments.json)
    print_json(*done);
  else
    print_people(*done);
  return exit_ok;
}

} // namespace

void add_regrade_command(CLI::App& app, chosen_command& chosen) {
  auto* command =
      add_command(app, "regrade", "Grade the stored answers of a run again.",
                  regrade_footer);
  auto arguments = std::make_shared<regrade_arguments>();
  command->add_option("RUN", arguments->run, "Run id or directory.")
      ->required();
  command->add_option("--arm", arguments->arm,
                      "Arm of the evaluation, as the report names it; default: "
                      "all.");
  command->add_option("--answers", arguments->answers,
                      "Directory to write the answers to, as "
                      "ARM/TASK/TRIAL-CASE.xlsx.");
  command->add_option("--set", arguments->overrides,
                      "Override an option of the run: environment.key=value.");
  add_runs_dir_option(*command, arguments->runs_dir);
  command->add_flag("--json", arguments->json, "JSON lines.");
  command->callback([arguments, &chosen] {
    chosen = [arguments] { return regrade_command(*arguments); };
  });
}

} // namespace brewery
