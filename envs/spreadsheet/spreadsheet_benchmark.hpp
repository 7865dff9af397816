#pragma once
/// SpreadsheetBench behind the environment port. docs/spreadsheet.md describes
/// rollouts and scores.

#include "envs/spreadsheet/data_check.hpp"
#include "envs/spreadsheet/spreadsheet_environment.hpp"
#include "envs/spreadsheet/task_splits.hpp"

namespace brewery::spreadsheet {

inline constexpr std::string_view benchmark_name = "spreadsheet";

struct benchmark_options {
  std::filesystem::path data;
  /// The part of data and services that this process uses.
  share part = share::all;
  play_options how;
  split_options splits;
  /// Also learn from tasks that the unchanged input solves or nothing can
  /// solve.
  bool keep_flawed = false;
  service_settings services;
};

/// Loads the data, starts the services and draws the splits, for which it
/// grades the drawn tasks. The fingerprint covers all that rollouts depend on:
/// inputs, the services' code, and the versions of all that computes an answer,
/// including the rung of isolation. It is empty with share::grade. `goldens`
/// covers all that grades depend on. It is empty with share::play. Errors:
/// those of load_dataset and draw_splits; ec::exhausted if a service cannot be
/// started.
result<std::shared_ptr<const benchmark>>
load_spreadsheets(const benchmark_options& options);

/// The same with existing services, for tests.
result<std::shared_ptr<const benchmark>>
load_spreadsheets_on(std::shared_ptr<const service_set> services,
                     const benchmark_options& options);

} // namespace brewery::spreadsheet
