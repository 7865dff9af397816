#include "report/sweep/sweep_points.hpp"

#include "report/sweep/run_group.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

constexpr std::string_view not_begun_text = "has not begun";

/// Whether the run began: it has a configuration, which on a coordinator is
/// there before.
bool has_begun(const std::filesystem::path& run, bool of_group,
               sweep_run_state state) {
  std::error_code ignored;
  return (!of_group || state != sweep_run_state::waiting)
         && std::filesystem::exists(run / "config.toml", ignored);
}

/// Why a run has no folder. One that failed on a coordinator never had one.
std::string why_absent(const sweep_run& run) {
  switch (run.state) {
  case sweep_run_state::failed:
    return run.reason.empty() ? "failed" : "failed: " + run.reason;
  case sweep_run_state::finished:
  case sweep_run_state::cut:
    return fmt::format("is gone: sweep.json says {}, and it has no folder",
                       to_string(run.state));
  default:
    return std::string{not_begun_text};
  }
}

} // namespace

bool is_sweep(const std::filesystem::path& directory) {
  std::error_code ignored;
  return std::filesystem::exists(sweep_state_file(directory), ignored);
}

result<sweep_state> state_of_sweep(const std::filesystem::path& sweep) {
  if (is_sweep(sweep)) return read_sweep_state(sweep);
  auto group = group_on_record(sweep.parent_path(), sweep.filename().string());
  return group ? std::move(group) : read_sweep_state(sweep);
}

result<sweep_runs> runs_of_sweep(const std::filesystem::path& sweep) {
  const auto state = state_of_sweep(sweep);
  if (!state) return state.error();
  const bool of_group = !is_sweep(sweep);
  const auto folder = of_group ? sweep.parent_path() : sweep;
  sweep_runs out;
  if (!state->points.empty()) out.first = state->points.front().name;
  for (const auto& point : state->points) {
    sweep_point one{.name = point.name, .runs = {}};
    for (const auto& run : point.runs) {
      if (!has_begun(folder / run.run, of_group, run.state)) {
        out.absent.push_back({point.name, run.run, why_absent(run)});
        out.not_begun += out.absent.back().why == not_begun_text;
        continue;
      }
      one.runs.push_back(folder / run.run);
      if (run.cut)
        one.cut[one.runs.back()] =
            fmt::format("cut after iteration {}", run.cut->after);
    }
    if (!one.runs.empty()) out.points.push_back(std::move(one));
  }
  return out;
}

void add_absent(sweep_figures& out, std::size_t not_begun,
                const std::vector<left_out_run>& absent) {
  out.not_begun = not_begun;
  for (const auto& one : absent)
    if (one.why != not_begun_text)
      out.absent.push_back(one.run + ' ' + one.why);
}

} // namespace brewery
