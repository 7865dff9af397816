#pragma once
/// The text of a sweep's file as tables, each value checked by itself. Private
/// to sweep/sweep_file.cpp.

#include "config/option.hpp"
#include "run/group_limit.hpp"
#include "sweep/sweep_file.hpp"

#include <map>

namespace brewery {

/// An option with its value, or its values in a grid.
struct sweep_setting {
  const option* item = nullptr;
  std::vector<option_value> values; ///< one, but in a grid
  std::string where;                ///< "sweep.toml:7"
};

struct named_point {
  std::string name, where;
  std::vector<sweep_setting> settings;
};

struct sweep_text {
  std::string base, base_where;
  std::vector<std::uint64_t> seeds;
  std::optional<std::uint32_t> at_once;
  bool same_data = true, split_by_seed = false;
  group_limit budget;
  std::optional<halving_plan> halving;
  std::vector<sweep_setting> set, grid;
  std::vector<named_point> points;
};

/// `file` is for messages.
result<sweep_text> read_sweep_text(std::string_view text,
                                   const std::string& file);

} // namespace brewery
