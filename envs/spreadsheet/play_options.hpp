#pragma once
/// How rollouts are made and scored; plain values.

#include "envs/spreadsheet/ports.hpp"

namespace brewery::spreadsheet {

enum class metric : std::uint8_t {
  first, ///< only test case 1
  soft,  ///< the share of all cases that pass
  hard,  ///< 1 if all cases pass, else 0
};

enum class position_parser : std::uint8_t { official, repaired };

struct play_options {
  std::uint32_t turns = 12;     ///< cells of code
  std::uint32_t first_rows = 0; ///< of each sheet, in the briefing
  cell_limits cells;
  metric score = metric::first;
  position_parser parser = position_parser::official; ///< for the reward
};

} // namespace brewery::spreadsheet
