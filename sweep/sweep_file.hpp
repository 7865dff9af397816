#pragma once
/// The file of a sweep: which points, with which seeds, over which base. Read
/// and checked as a whole before anything runs.
///
///   base = "tau2-telecom.toml"   # a run's configuration, from this file
///
///   seeds = [1, 2, 3]
///
///   at_once = 2                  # runs side by side; default: 1
///
///   same_data = true             # points may not differ in environment.*
///
///   split_by_seed = false        # else all seeds hold out the same tasks
///
///   [set]                        # options of all points
///   search.iterations = 6
///   [grid]                       # a point for each combination
///   search.max_width = [3, 10]
///   [[points]]                   # or points with names
///   name = "3x3"
///   search.max_width = 3
///   [budget]                     # of all runs together; 0: no limit
///   max_cost_usd = 20.0
///   max_hours = 5.0
///   [halving]                    # off without it: see sweep/halving.hpp
///   after = [2, 4]
///   keep = 0.5
///
/// Options stand as in a configuration. The first option of the grid varies
/// slowest. Points of the grid come before named ones.

#include "base/result.hpp"
#include "config/config.hpp"
#include "run/group_limit.hpp"
#include "sweep/halving.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace brewery {

/// More runs are refused: a slip in a grid is more likely than a wish.
inline constexpr std::size_t sweep_runs_max = 10'000;

struct planned_point {
  std::string name; ///< part of a run's id
  /// By which it differs from the base: key and value as TOML, in file order.
  std::vector<std::pair<std::string, std::string>> settings;
  config options; ///< with everything but the seed and the run's directory
};

struct sweep_plan {
  std::vector<planned_point> points; ///< not empty
  std::vector<std::uint64_t> seeds;  ///< not empty, all different
  /// Empty: the file says nothing. One after the other then, in one process;
  /// all of them on a coordinator.
  std::optional<std::uint32_t> at_once;
  group_limit budget;
  std::optional<halving_plan> halving; ///< empty: every point is played whole

  [[nodiscard]] std::size_t runs() const {
    return points.size() * seeds.size();
  }
};

struct sweep_request {
  std::filesystem::path file; ///< as the user named it
  std::vector<std::pair<std::string, std::string>> environment{};
  std::filesystem::path working_directory; ///< absolute
  std::filesystem::path installed{};       ///< as in `load_request`
};

/// Error ec::invalid_config, ec::malformed or ec::not_found: the first problem,
/// with file, line and key.
result<sweep_plan> load_sweep(const sweep_request& request);

/// The id of a run: "<point>-s<seed>".
std::string sweep_run_id(const std::string& point, std::uint64_t seed);

/// The options of one of its runs.
config options_of_run(const planned_point& point, std::uint64_t seed,
                      const std::filesystem::path& directory);

} // namespace brewery
