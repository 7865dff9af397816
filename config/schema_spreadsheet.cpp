#include "config/schema_spreadsheet.hpp"

namespace brewery {

namespace {

/// What a rollout is and what it is scored on: part of its identity.
void add_play(section_of<environment_options>& s) {
  s.add(&environment_options::turns, "turns",
        "spreadsheet: most cells of code of a rollout.",
        {.unit = "cells", .min = 1, .max = 1000});
  s.add(&environment_options::metric, "metric",
        "spreadsheet: the reward is test case 1 alone (first), the part of "
        "all cases that passes (soft), or all cases or nothing (hard).",
        {.choices = {"first", "soft", "hard"}});
  s.add(&environment_options::position_parser, "position_parser",
        "spreadsheet: how the cells to answer are read for the reward: as the "
        "official evaluation does, or with its defects repaired. Both are in "
        "every grade report.",
        {.choices = {"official", "repaired"}});
  s.add(&environment_options::cell_timeout_ms, "cell_timeout_ms",
        "spreadsheet: how long a cell may run; then it is interrupted.",
        {.unit = "ms", .min = 100, .max = timeout_max_ms});
  s.add(&environment_options::output_bytes, "output_bytes",
        "spreadsheet: most output of a cell that the agent sees, its head and "
        "tail.",
        {.unit = "bytes", .min = 256, .max = 1 << 20});
  s.add(&environment_options::train_tasks, "train_tasks",
        "spreadsheet: tasks drawn for the train split.",
        {.unit = "tasks", .min = 1, .max = tasks_max});
  s.add(&environment_options::eval_tasks, "eval_tasks",
        "spreadsheet: tasks drawn for the eval split; all others are the test "
        "split.",
        {.unit = "tasks", .min = 0, .max = tasks_max});
  s.add(&environment_options::split_seed, "split_seed",
        "spreadsheet: seed of the draw.", {.min = 0});
  s.add(&environment_options::keep_flawed_tasks, "keep_flawed_tasks",
        "spreadsheet: draw also tasks that doing nothing solves or nothing "
        "can solve for train and eval; `brewery data check` names them.");
}

/// How this machine runs code that nobody has read.
void add_machine(section_of<environment_options>& s) {
  s.add(&environment_options::isolation, "isolation",
        "spreadsheet: how the agent's code is confined; auto is the strongest "
        "that works here (`brewery env check`).",
        {.choices = {"auto", "bubblewrap", "landlock"}});
  s.add(&environment_options::unsafe_run_without_isolation,
        "unsafe_run_without_isolation",
        "spreadsheet: run the agent's code even if nothing confines it: it can "
        "then do all that you can.");
  s.add(&environment_options::kernel_memory_mb, "kernel_memory_mb",
        "spreadsheet: most memory of one kernel.",
        {.unit = "MiB", .min = 256, .max = 1 << 20});
  s.add(&environment_options::recalculation_timeout_ms,
        "recalculation_timeout_ms",
        "spreadsheet: how long the formulas of a workbook may take.",
        {.unit = "ms", .min = 1000, .max = timeout_max_ms});
}

} // namespace

void add_spreadsheet_options(section_of<environment_options>& section) {
  add_play(section);
  add_machine(section);
}

} // namespace brewery
