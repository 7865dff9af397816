#pragma once
/// Makes the set-up of spreadsheet episodes, without the data, from
/// [environment.spreadsheet].

#include "config/config.hpp"
#include "envs/spreadsheet/spreadsheet_benchmark.hpp"

namespace brewery {

spreadsheet::benchmark_options
spreadsheet_setup(const spreadsheet_settings& settings);

} // namespace brewery
