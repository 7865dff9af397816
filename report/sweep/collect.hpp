#pragma once
/// Makes the figures of a sweep from the directories of its runs.

#include "report/sweep/run_figures.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace brewery {

/// A point of a sweep with where its runs are.
struct sweep_point {
  std::string name;
  std::vector<std::filesystem::path> runs; ///< not empty
  /// Those that halving cut, with what is shown as their state.
  std::map<std::filesystem::path, std::string> cut{};
  bool was_named = false; ///< its runs, one by one; else it is of a sweep
};

/// What reads a run: `figures_of_run`, or what has read it before.
using run_reader =
    std::function<result<figured_run>(const std::filesystem::path&)>;

/// Runs that cannot be read are left out and counted, with a line each in
/// `problems`.
/// Points are compared with the first one of their benchmark. What a point is,
/// are the options in which the first runs of the points differ.
sweep_figures collect(const std::string& name,
                      const std::vector<sweep_point>& points,
                      std::chrono::system_clock::time_point now,
                      std::vector<error>& problems, const run_reader& read_run);

} // namespace brewery
