#pragma once
/// From the options of an environment to spreadsheet episodes.

#include "config/config.hpp"
#include "envs/spreadsheet/spreadsheet_benchmark.hpp"

namespace brewery {

spreadsheet::benchmark_options
spreadsheet_setup(const environment_options& options);

} // namespace brewery
