#pragma once
/// Runs that words name together: contenders of a comparison, points of a
/// report.

#include "report/compare/comparison.hpp"
#include "report/sweep/sweep_points.hpp"

#include <functional>
#include <optional>

namespace brewery {

/// What a word may name; where that is, is up to who asks.
struct run_places {
  std::function<result<std::filesystem::path>(const std::string&)> run;
  /// The directory of a sweep; empty: no sweep has this name.
  std::function<std::optional<std::filesystem::path>(const std::string&)> sweep;
};

/// A word is a sweep, which stands for its points, a run, or NAME=RUN,RUN,...
/// Of a sweep, runs that have not begun are left out. Every word that is none
/// of these is in `problems`.
std::vector<sweep_point> run_groups(const std::vector<std::string>& words,
                                    const run_places& places,
                                    std::vector<error>& problems);

/// What they measured; `arm` as in `find_arm`. Runs that halving cut have no
/// score and are left out.
std::vector<run_group> measured(const std::vector<sweep_point>& named,
                                const std::string& arm,
                                std::vector<error>& problems);

/// The runs that halving cut.
nlohmann::ordered_json cut_json(const std::vector<sweep_point>& named);

} // namespace brewery
