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

struct named_runs {
  std::vector<sweep_point> points;
  /// The first of all that was named. A sweep's first point may not be there.
  std::string first;
  bool first_is_of_sweep = false; ///< so nobody chose it
  std::size_t not_begun = 0;      ///< of `left_out`
  std::vector<left_out_run> left_out;
};

/// A word is a sweep, which stands for its points, a run, or NAME=RUN,RUN,...
/// Of a sweep, runs that are not there are left out. Every word that is none
/// of these is in `problems`.
named_runs run_groups(const std::vector<std::string>& words,
                      const run_places& places, std::vector<error>& problems);

/// What they measured; `arm` as in `find_arm`. Runs that halving cut and those
/// that did not measure it are left out; then `named` has the others alone, and
/// why. Error: none is left, or not the one that was named first.
result<std::vector<run_group>> measured(named_runs& named,
                                        const std::string& arm);

/// The runs that halving cut, of what `run_groups` found.
nlohmann::ordered_json cut_json(const std::vector<sweep_point>& named);

/// A line for what was left out, or for each point; and which one stands first
/// instead of a point without a run. Empty if all are there.
std::string left_out_text(const named_runs& named);
nlohmann::ordered_json left_out_json(const named_runs& named);

} // namespace brewery
