#include "config/declare.hpp"

namespace brewery {

namespace {

/// Options that define a rollout and its score: part of its identity.
void add_play(section_of<spreadsheet_settings>& s) {
  s.add(&spreadsheet_settings::turns, "turns",
        "Most cells of code of a rollout.",
        {.unit = "cells", .min = 1, .max = 1000});
  s.add(&spreadsheet_settings::metric, "metric",
        "The reward is test case 1 alone (first), the part of "
        "all cases that passes (soft), or all cases or nothing (hard).",
        {.choices = {"first", "soft", "hard"}});
  s.add(&spreadsheet_settings::position_parser, "position_parser",
        "How the cells to answer are read for the reward: as the "
        "official evaluation does, or with its defects repaired. Both are in "
        "every grade report.",
        {.choices = {"official", "repaired"}});
  s.add(&spreadsheet_settings::cell_timeout_ms, "cell_timeout_ms",
        "How long a cell may run; then it is interrupted.",
        {.unit = "ms", .min = 100, .max = timeout_max_ms});
  s.add(&spreadsheet_settings::output_bytes, "output_bytes",
        "Most output of a cell that the agent sees, its head and "
        "tail.",
        {.unit = "bytes", .min = 256, .max = 1 << 20});
  s.add(&spreadsheet_settings::train_tasks, "train_tasks",
        "Tasks drawn for the train split.",
        {.unit = "tasks", .min = 1, .max = tasks_max});
  s.add(&spreadsheet_settings::eval_tasks, "eval_tasks",
        "Tasks drawn for the eval split; all others are the test "
        "split.",
        {.unit = "tasks", .min = 0, .max = tasks_max});
  s.add(&spreadsheet_settings::split_seed, "split_seed", "Seed of the draw.",
        {.min = 0});
  s.add(&spreadsheet_settings::keep_flawed_tasks, "keep_flawed_tasks",
        "Draw also tasks that doing nothing solves or nothing "
        "can solve for train and eval; `brewery data check` names them.");
}

/// Options for running unreviewed code on this machine.
void add_machine(section_of<spreadsheet_settings>& s) {
  s.add(&spreadsheet_settings::python, "python",
        "Python interpreter with openpyxl, pandas and LibreOffice's bridge; "
        "Debian installs them for this one.");
  s.add(&spreadsheet_settings::isolation, "isolation",
        "How the agent's code is confined; auto is the strongest "
        "that works here (`brewery env check`).",
        {.choices = {"auto", "bubblewrap", "landlock"}});
  s.add(&spreadsheet_settings::unsafe_run_without_isolation,
        "unsafe_run_without_isolation",
        "Run the agent's code even if nothing confines it: it can "
        "then do all that you can.");
  s.add(&spreadsheet_settings::kernel_memory_mb, "kernel_memory_mb",
        "Most memory of one kernel.",
        {.unit = "MiB", .min = 256, .max = 1 << 20});
  s.add(&spreadsheet_settings::start_timeout_ms, "start_timeout_ms",
        "How long a service may take to start and say what it has.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  s.add(&spreadsheet_settings::recalculation_timeout_ms,
        "recalculation_timeout_ms",
        "How long the formulas of a workbook may take.",
        {.unit = "ms", .min = 1000, .max = timeout_max_ms});
  s.add(&spreadsheet_settings::grade_timeout_ms, "grade_timeout_ms",
        "How long the grading of one answer may take.",
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
