#pragma once
/// Runs that a command line names together: points of a comparison.

#include "base/result.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace brewery {

/// Runs that differ in nothing but their seed, or a single run.
struct named_runs {
  std::string name;
  std::vector<std::filesystem::path> runs; ///< not empty
  /// Of those of a sweep that halving cut, what to say: "cut after iteration
  /// 2"; by run.
  std::map<std::filesystem::path, std::string> cut{};
};

/// Whether the directory is that of a sweep.
bool is_sweep(const std::filesystem::path& directory);

/// A word is a sweep's directory, which stands for its points, a run's id or
/// directory, or NAME=RUN,RUN,... Of a sweep, runs that have not begun are left
/// out. Every word that is none of these is in `problems`.
std::vector<named_runs> run_groups(const std::vector<std::string>& words,
                                   const std::filesystem::path& runs_dir,
                                   std::vector<error>& problems);

/// Of the sweeps among the words, the runs that have not begun.
std::size_t runs_not_begun(const std::vector<std::string>& words);

} // namespace brewery
