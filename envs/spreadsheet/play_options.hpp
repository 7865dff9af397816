#pragma once
/// How tasks are played and scored; plain values.

#include "envs/spreadsheet/ports.hpp"

namespace brewery::spreadsheet {

enum class metric : std::uint8_t {
  first, ///< test case 1 alone
  soft,  ///< the part of all cases that passes
  hard,  ///< all cases, or nothing
};

enum class position_parser : std::uint8_t { official, repaired };

struct play_options {
  std::uint32_t turns = 5; ///< cells of code
  cell_limits cells;
  metric score = metric::first;
  position_parser parser = position_parser::official; ///< of the reward
};

} // namespace brewery::spreadsheet
