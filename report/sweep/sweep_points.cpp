#include "report/sweep/sweep_points.hpp"

#include "sweep/sweep_state.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Whether the run began: it has a configuration.
bool has_begun(const std::filesystem::path& run) {
  std::error_code ignored;
  return std::filesystem::exists(run / "config.toml", ignored);
}

} // namespace

bool is_sweep(const std::filesystem::path& directory) {
  std::error_code ignored;
  return std::filesystem::exists(sweep_state_file(directory), ignored);
}

result<sweep_runs> runs_of_sweep(const std::filesystem::path& sweep) {
  const auto state = read_sweep_state(sweep);
  if (!state) return state.error();
  sweep_runs out;
  for (const auto& point : state->points) {
    sweep_point one{.name = point.name, .runs = {}};
    for (const auto& run : point.runs) {
      if (!has_begun(sweep / run.run)) {
        ++out.not_begun;
        continue;
      }
      one.runs.push_back(sweep / run.run);
      if (run.cut)
        one.cut[one.runs.back()] =
            fmt::format("cut after iteration {}", run.cut->after);
    }
    if (!one.runs.empty()) out.points.push_back(std::move(one));
  }
  return out;
}

} // namespace brewery
