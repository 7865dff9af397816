#pragma once
/// SpreadsheetBench behind the port of all benchmarks. docs/spreadsheet.md says
/// what a rollout is and what it is scored on.

#include "envs/spreadsheet/data_check.hpp"
#include "envs/spreadsheet/spreadsheet_environment.hpp"
#include "envs/spreadsheet/task_splits.hpp"

namespace brewery::spreadsheet {

inline constexpr std::string_view benchmark_name = "spreadsheet";

struct benchmark_options {
  std::filesystem::path data;
  /// What of the data and the services this process uses.
  share part = share::all;
  play_options how;
  split_options splits;
  /// Also learn from tasks that doing nothing solves or nothing can solve.
  bool keep_flawed = false;
  service_settings services;
};

/// Loads the data, starts the services and draws the splits, for which it
/// grades the tasks drawn. The fingerprint is of what plays: inputs, the
/// services' code and the versions of all that computes an answer, the rung of
/// isolation included; it is empty with share::grade. `goldens` is of what
/// grades, and empty with share::play. Errors: those of load_dataset and
/// draw_splits; ec::exhausted when a service cannot be started.
result<std::shared_ptr<const benchmark>>
load_spreadsheets(const benchmark_options& options);

/// The same on services that are there: for tests.
result<std::shared_ptr<const benchmark>>
load_spreadsheets_on(std::shared_ptr<const service_set> services,
                     const benchmark_options& options);

} // namespace brewery::spreadsheet
