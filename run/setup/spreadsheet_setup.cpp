#include "run/setup/spreadsheet_setup.hpp"

#include <spdlog/spdlog.h>

namespace brewery {

using std::chrono::milliseconds;

namespace {

spreadsheet::service_settings
services_of(const spreadsheet_settings& settings) {
  spreadsheet::service_settings out;
  out.python = settings.python;
  out.grader_python = settings.grader_python;
  out.isolation = settings.isolation;
  out.unsafe_exec = settings.unsafe_run_without_isolation;
  out.kernel_memory_mb = settings.kernel_memory_mb;
  out.start_timeout = milliseconds{settings.start_timeout_ms};
  out.recalculation_timeout = milliseconds{settings.recalculation_timeout_ms};
  out.grade_timeout = milliseconds{settings.grade_timeout_ms};
  out.log = [](const std::string& line) { spdlog::info("{}", line); };
  return out;
}

} // namespace

spreadsheet::benchmark_options
spreadsheet_setup(const spreadsheet_settings& settings) {
  spreadsheet::benchmark_options out;
  out.how.turns = settings.turns;
  out.how.first_rows = settings.first_rows;
  out.how.cells.timeout = milliseconds{settings.cell_timeout_ms};
  out.how.cells.output_bytes = settings.output_bytes;
  if (settings.metric == "soft") out.how.score = spreadsheet::metric::soft;
  if (settings.metric == "hard") out.how.score = spreadsheet::metric::hard;
  if (settings.position_parser == "repaired")
    out.how.parser = spreadsheet::position_parser::repaired;
  out.splits = {settings.train_tasks, settings.eval_tasks, settings.split_seed};
  out.keep_flawed = settings.keep_flawed_tasks;
  out.services = services_of(settings);
  return out;
}

} // namespace brewery
