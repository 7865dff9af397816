#pragma once
/// `[environment.spreadsheet]`: the options of SpreadsheetBench. Plain values;
/// config/schema_spreadsheet.cpp describes and bounds each field.

#include <cstdint>
#include <string>

namespace brewery {

struct spreadsheet_settings {
  /// The agent of BREW's paper needs 5.4 on average, and 11 for some tasks.
  std::uint32_t turns = 12;
  std::uint32_t first_rows = 0; ///< of each sheet, shown with the task
  std::string metric = "first";
  std::string position_parser = "official";
  std::uint32_t cell_timeout_ms = 60'000;
  std::uint32_t output_bytes = 8192; ///< output of a cell that the agent sees
  std::uint32_t train_tasks = 30;    ///< drawn; the rest is eval and test
  std::uint32_t eval_tasks = 10;
  std::uint32_t split_seed = 1;
  bool keep_flawed_tasks = false; ///< also learn from flawed tasks
  /// Debian's interpreter: another one that is first in PATH has neither
  /// openpyxl nor LibreOffice's bridge.
  std::string python = "/usr/bin/python3";
  std::string grader_python; ///< empty: `python`
  std::string isolation = "auto";
  bool unsafe_run_without_isolation = false;
  std::uint32_t kernel_memory_mb = 2048;
  /// Long, because libraries and an office program are loaded, which have
  /// timeouts of their own with better messages.
  std::uint32_t start_timeout_ms = 120'000;
  std::uint32_t recalculation_timeout_ms = 30'000;
  std::uint32_t grade_timeout_ms = 120'000;

  /// Takes the options that the machine decides on which rollouts run: the
  /// programs started and the isolation of code.
  void take_machine(const spreadsheet_settings& here) {
    python = here.python;
    grader_python = here.grader_python;
    isolation = here.isolation;
    unsafe_run_without_isolation = here.unsafe_run_without_isolation;
    start_timeout_ms = here.start_timeout_ms;
  }
  bool operator==(const spreadsheet_settings&) const = default;
};

} // namespace brewery
