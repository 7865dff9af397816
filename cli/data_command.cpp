/// `brewery data`: checks a dataset before its errors are blamed on agents.

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json_line.hpp"
#include "cli/logging.hpp"
#include "cli/osworld/osworld_data.hpp"
#include "cli/progress_bar.hpp"
#include "cli/terminal.hpp"
#include "run/setup/spreadsheet_setup.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

constexpr const char* data_footer =
    "Grades each golden workbook against itself and each input against its "
    "golden, finds formulas\nwithout a value and functions of time or chance, "
    "and recalculates the goldens. A task is\nflawed if an unchanged input "
    "passes its case 1, or if no answer can pass it. Flawed tasks are\nnot "
    "drawn for train and eval, unless "
    "environment.spreadsheet.keep_flawed_tasks is set. Exit\ncode 1 if there "
    "are flawed tasks or missing files. Of OSWorld, it says which tasks can be "
    "played and\ngraded and why not.\n\nExamples:\n  brewery data check "
    "examples/spreadsheets\n  brewery data check "
    "spreadsheetbench/all_data_912_v0.1 --json\n  brewery data check "
    "OSWorld/evaluation_examples";

struct data_check_arguments {
  std::string directory;
  bool fast = false;
  bool json = false;
};

using spreadsheet::task_check;

struct check_summary {
  std::size_t tasks = 0, cases = 0, missing = 0, flawless = 0;
  std::size_t free_passes = 0, unscoreable = 0;
  std::map<std::string, std::size_t> tags;

  void add(const task_check& one) {
    ++tasks;
    cases += one.cases;
    flawless += one.tags.empty();
    free_passes += one.free_pass;
    unscoreable += one.unscoreable;
    for (const auto& tag : one.tags)
      ++tags[tag];
  }
  [[nodiscard]] bool good() const {
    return missing + free_passes + unscoreable == 0;
  }
};

void print_task(const task_check& one, bool json) {
  if (json) {
    const nlohmann::ordered_json line{{"event", "task"},
                                      {"task", one.task.value},
                                      {"tags", one.tags},
                                      {"notes", one.notes},
                                      {"free_pass", one.free_pass},
                                      {"unscoreable", one.unscoreable}};
    std::fputs(json_line(line).c_str(), stdout);
    return;
  }
  for (const auto& note : one.notes)
    std::fputs(
        fmt::format("{}: {}\n", single_line(one.task.value), printable(note))
            .c_str(),
        stdout);
}

void print_summary(const check_summary& all, bool json) {
  if (json) {
    nlohmann::ordered_json line{{"event", "dataset"},
                                {"tasks", all.tasks},
                                {"cases", all.cases},
                                {"missing", all.missing},
                                {"flawless", all.flawless},
                                {"free_passes", all.free_passes},
                                {"unscoreable", all.unscoreable},
                                {"tags", all.tags}};
    std::fputs(json_line(line).c_str(), stdout);
    return;
  }
  auto text =
      fmt::format("{}, {}: without a flaw {}, passed without an "
                  "answer {}, not to be scored {}, lacking files {}\n",
                  counted(all.tasks, "task"), counted(all.cases, "case"),
                  all.flawless, all.free_passes, all.unscoreable, all.missing);
  for (const auto& [tag, count] : all.tags)
    text += fmt::format("  {}: {}\n", tag, count);
  std::fputs(text.c_str(), stdout);
}

int check_data(const data_check_arguments& arguments) {
  set_up_logging("warn");
  if (holds_osworld(arguments.directory))
    return check_osworld(arguments.directory, arguments.json);
  const auto data = spreadsheet::load_dataset(arguments.directory);
  if (!data) return report(data.error());
  const auto services =
      spreadsheet::make_services(spreadsheet_setup({}).services);
  if (!services) return report(services.error());
  const spreadsheet::check_options how{.all_cases = !arguments.fast,
                                       .recalculate = !arguments.fast,
                                       .inspect = !arguments.fast};
  check_summary all;
  all.missing = data->missing.size();
  for (const auto& line : data->missing)
    std::fputs(arguments.json
                   ? json_line({{"event", "missing"}, {"what", line}}).c_str()
                   : (single_line(line) + "\n").c_str(),
               stdout);
  progress_bar meter{"tasks", data->tasks.size()};
  for (const auto& task : data->tasks) {
    const auto checked =
        spreadsheet::check_task(*services, task, data->cases_most, how);
    meter.clear();
    if (!checked) return report(checked.error());
    print_task(*checked, arguments.json);
    all.add(*checked);
    meter.step();
  }
  meter.clear();
  print_summary(all, arguments.json);
  return all.good() ? exit_ok : exit_failed;
}

constexpr const char* fetch_footer =
    "Rollouts fetch what is not here; with this command before, they need no "
    "network. A file is\nkept with its checksum. Exit code 1 if a file cannot "
    "be fetched.\n\nExamples:\n  brewery data fetch "
    "OSWorld/evaluation_examples --split test_small\n  brewery data fetch "
    "OSWorld --mirror /mnt/osworld_file_cache";

void add_fetch(CLI::App& group, chosen_command& chosen) {
  auto* command =
      add_command(group, "fetch", "Fetch the files that OSWorld's tasks need.",
                  fetch_footer);
  auto arguments = std::make_shared<osworld_fetch_arguments>();
  command
      ->add_option("DIR", arguments->directory,
                   "OSWorld checkout or its evaluation_examples.")
      ->required();
  command->add_option("--split", arguments->split,
                      "Only for the tasks of this split.");
  command->add_option("--cache", arguments->cache,
                      "Directory for the files; default: as "
                      "environment.osworld.cache.");
  command->add_option("--mirror", arguments->mirror,
                      "Address or directory with the official files.");
  command->add_flag("--json", arguments->json, "Answer as one line of JSON.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return fetch_osworld(*arguments); };
  });
}

} // namespace

void add_data_commands(CLI::App& app, chosen_command& chosen) {
  auto* group = add_command(app, "data", "Datasets of benchmarks.", "");
  group->require_subcommand(1);
  auto* command =
      add_command(*group, "check",
                  "List the flawed tasks of a SpreadsheetBench dataset, or "
                  "what can be played of OSWorld.",
                  data_footer);
  auto arguments = std::make_shared<data_check_arguments>();
  command
      ->add_option("DIR", arguments->directory,
                   "Directory with dataset.json and the workbooks, or with "
                   "OSWorld's evaluation_examples.")
      ->required();
  command->add_flag("--fast", arguments->fast,
                    "Check only what decides whether a task is drawn: case 1, "
                    "without recalculation.");
  command->add_flag("--json", arguments->json, "Print one JSON line per task.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return check_data(*arguments); };
  });
  add_fetch(*group, chosen);
}

} // namespace brewery
