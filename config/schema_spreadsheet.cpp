#include "config/declare.hpp"

namespace brewery {

namespace {

/// Options that define a rollout and its score: part of its identity.
void add_play(section_of<spreadsheet_settings>& s) {
  s.add(&spreadsheet_settings::turns, "turns",
        "Maximum number of code cells of a rollout.",
        {.unit = "cells", .min = 1, .max = 1000});
  s.add(&spreadsheet_settings::first_rows, "first_rows",
        "Show the agent the first rows of each sheet before its first call; "
        "the benchmark's authors show 5. 0: none.",
        {.unit = "rows", .min = 0, .max = 1000});
  s.add(&spreadsheet_settings::metric, "metric",
        "The reward. first: test case 1. soft: the share of test cases that "
        "pass. hard: 1 if all test cases pass, else 0.",
        {.choices = {"first", "soft", "hard"}});
  s.add(&spreadsheet_settings::position_parser, "position_parser",
        "How the reward reads the cell range of the answer: as the official "
        "evaluation does, or with its defects repaired. Every grade report has "
        "both.",
        {.choices = {"official", "repaired"}});
  s.add(&spreadsheet_settings::cell_timeout_ms, "cell_timeout_ms",
        "Time limit of a code cell. After it, the cell is interrupted.",
        {.unit = "ms", .min = 100, .max = timeout_max_ms});
  s.add(&spreadsheet_settings::output_bytes, "output_bytes",
        "Maximum output of a cell that the agent sees, from its head and tail.",
        {.unit = "bytes", .min = 256, .max = 1 << 20});
  s.add(&spreadsheet_settings::train_tasks, "train_tasks",
        "Number of tasks drawn for the train split.",
        {.unit = "tasks", .min = 1, .max = tasks_max});
  s.add(&spreadsheet_settings::eval_tasks, "eval_tasks",
        "Number of tasks drawn for the eval split. All other tasks are the "
        "test split.",
        {.unit = "tasks", .min = 0, .max = tasks_max});
  s.add(&spreadsheet_settings::split_seed, "split_seed", "Seed of the draw.",
        {.min = 0});
  s.add(&spreadsheet_settings::keep_flawed_tasks, "keep_flawed_tasks",
        "Also draw flawed tasks for train and eval: tasks that no action "
        "solves, or that cannot be solved. `brewery data check` lists them.");
}

/// Options for running unreviewed code on this machine.
void add_machine(section_of<spreadsheet_settings>& s) {
  s.add(&spreadsheet_settings::python, "python",
        "Python interpreter with openpyxl, pandas and LibreOffice's bridge. "
        "The default is the one for which Debian installs them.");
  s.add(&spreadsheet_settings::grader_python, "grader_python",
        "Python interpreter of the grader, for one with the openpyxl that the "
        "official evaluation uses (docs/spreadsheet-grading.md). Empty: the "
        "same as `python`.");
  s.add(&spreadsheet_settings::isolation, "isolation",
        "Isolation of the agent's code and of the programs that open its "
        "workbooks. auto: the strongest one that works on this machine "
        "(`brewery env check`).",
        {.choices = {"auto", "bubblewrap", "landlock"}});
  s.add(&spreadsheet_settings::unsafe_run_without_isolation,
        "unsafe_run_without_isolation",
        "Run the agent's code, and LibreOffice and the grader on its "
        "workbooks, even without isolation. They then have all your rights.");
  s.add(&spreadsheet_settings::kernel_memory_mb, "kernel_memory_mb",
        "Memory limit of one kernel.",
        {.unit = "MiB", .min = 256, .max = 1 << 20});
  s.add(&spreadsheet_settings::start_timeout_ms, "start_timeout_ms",
        "Time limit for the start of a service.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  s.add(&spreadsheet_settings::recalculation_timeout_ms,
        "recalculation_timeout_ms",
        "Time limit for recalculating one workbook.",
        {.unit = "ms", .min = 1000, .max = timeout_max_ms});
  s.add(&spreadsheet_settings::grade_timeout_ms, "grade_timeout_ms",
        "Time limit for grading one answer.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
}

} // namespace

option_section spreadsheet_section() {
  section_of<spreadsheet_settings> s{
      at(&config::environment, &environment_options::spreadsheet),
      "environment.spreadsheet", "Options of spreadsheet, SpreadsheetBench."};
  add_play(s);
  add_machine(s);
  return s.take();
}

} // namespace brewery
