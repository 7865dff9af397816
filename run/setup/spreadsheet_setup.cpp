#include "run/setup/spreadsheet_setup.hpp"

#include <spdlog/spdlog.h>

namespace brewery {

using std::chrono::milliseconds;

namespace {

spreadsheet::service_settings services_of(const spreadsheet_settings& told) {
  spreadsheet::service_settings out;
  out.python = told.python;
  out.isolation = told.isolation;
  out.unsafe_exec = told.unsafe_run_without_isolation;
  out.kernel_memory_mb = told.kernel_memory_mb;
  out.start_timeout = milliseconds{told.start_timeout_ms};
  out.recalculation_timeout = milliseconds{told.recalculation_timeout_ms};
  out.grade_timeout = milliseconds{told.grade_timeout_ms};
  out.log = [](const std::string& line) { spdlog::info("{}", line); };
  return out;
}

} // namespace

spreadsheet::benchmark_options
spreadsheet_setup(const spreadsheet_settings& told) {
  spreadsheet::benchmark_options out;
  out.how.turns = told.turns;
  out.how.cells.timeout = milliseconds{told.cell_timeout_ms};
  out.how.cells.output_bytes = told.output_bytes;
  if (told.metric == "soft") out.how.score = spreadsheet::metric::soft;
  if (told.metric == "hard") out.how.score = spreadsheet::metric::hard;
  if (told.position_parser == "repaired")
    out.how.parser = spreadsheet::position_parser::repaired;
  out.splits = {told.train_tasks, told.eval_tasks, told.split_seed};
  out.keep_flawed = told.keep_flawed_tasks;
  out.services = services_of(told);
  return out;
}

} // namespace brewery
