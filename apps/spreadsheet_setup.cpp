#include "apps/spreadsheet_setup.hpp"

#include <spdlog/spdlog.h>

namespace brewery {

using std::chrono::milliseconds;

namespace {

/// Debian's interpreter: another one that is first in PATH has neither openpyxl
/// nor LibreOffice's bridge.
constexpr const char* usual_python = "/usr/bin/python3";

/// Libraries and an office are loaded, and they have deadlines of their own
/// with better words; a busy machine takes its time.
constexpr std::uint32_t usual_start_timeout_ms = 120'000;

spreadsheet::service_settings services_of(const environment_options& options) {
  spreadsheet::service_settings out;
  const environment_options usual;
  out.python = options.python == usual.python ? usual_python : options.python;
  out.isolation = options.isolation;
  out.unsafe_exec = options.unsafe_run_without_isolation;
  out.kernel_memory_mb = options.kernel_memory_mb;
  out.start_timeout =
      milliseconds{options.start_timeout_ms == usual.start_timeout_ms
                       ? usual_start_timeout_ms
                       : options.start_timeout_ms};
  out.recalculation_timeout = milliseconds{options.recalculation_timeout_ms};
  out.grade_timeout = milliseconds{options.grade_timeout_ms};
  out.log = [](const std::string& line) { spdlog::info("{}", line); };
  return out;
}

} // namespace

spreadsheet::benchmark_options
spreadsheet_setup(const environment_options& options) {
  spreadsheet::benchmark_options out;
  out.data = options.data;
  out.how.turns = options.turns;
  out.how.cells.timeout = milliseconds{options.cell_timeout_ms};
  out.how.cells.output_bytes = options.output_bytes;
  if (options.metric == "soft") out.how.score = spreadsheet::metric::soft;
  if (options.metric == "hard") out.how.score = spreadsheet::metric::hard;
  if (options.position_parser == "repaired")
    out.how.parser = spreadsheet::position_parser::repaired;
  out.splits = {options.train_tasks, options.eval_tasks, options.split_seed};
  out.keep_flawed = options.keep_flawed_tasks;
  out.services = services_of(options);
  return out;
}

} // namespace brewery
