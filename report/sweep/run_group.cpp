#include "report/sweep/run_group.hpp"

#include "base/text.hpp"
#include "store/submission.hpp"
#include "sweep/run_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace brewery {

namespace {

std::string point_of(const std::string& group, const grouped_run& run) {
  std::string_view name = run.id;
  const auto before = group + '.';
  if (name.size() > before.size() && name.starts_with(before))
    name.remove_prefix(before.size());
  const auto after = fmt::format("-s{}", run.seed);
  if (name.size() > after.size() && name.ends_with(after))
    name.remove_suffix(after.size());
  return std::string{name};
}

sweep_run run_of(const grouped_run& from) {
  sweep_run out;
  out.seed = from.seed;
  out.run = from.id;
  out.state = from.state == run_state::finished ? sweep_run_state::finished
              : from.state == run_state::failed ? sweep_run_state::failed
              : from.has_begun                  ? sweep_run_state::begun
                                                : sweep_run_state::waiting;
  if (out.state == sweep_run_state::failed) out.reason = from.reason;
  return out;
}

/// What an id ends with; 0: it names none.
std::uint64_t seed_in(const std::string& id) {
  const auto at = id.rfind("-s");
  if (at == std::string::npos) return 0;
  return whole_number<std::uint64_t>(id.substr(at + 2)).value_or(0);
}

/// A run of a group, and its point's place in the sweep's file.
struct placed_run {
  run_directory where;
  std::uint32_t point = UINT32_MAX; ///< what has no place comes last
};

/// The runs of each group, by id.
std::map<std::string, std::vector<placed_run>>
runs_by_group(const std::filesystem::path& runs_dir) {
  std::map<std::string, std::vector<placed_run>> out;
  const auto all = run_directory::list(runs_dir);
  if (!all) return out;
  for (const auto& run : *all)
    if (const auto about = read_submission(run); about && !about->group.empty())
      out[about->group].push_back(
          {run, about->group_point.value_or(UINT32_MAX)});
  return out;
}

} // namespace

sweep_state state_of_group(const std::string& group,
                           const std::vector<grouped_run>& runs) {
  sweep_state out;
  std::map<std::string, std::size_t> places;
  for (const auto& one : runs) {
    const auto name = point_of(group, one);
    const auto [place, is_new] = places.emplace(name, out.points.size());
    if (is_new) out.points.emplace_back().name = name;
    out.points[place->second].runs.push_back(run_of(one));
  }
  for (auto& point : out.points)
    std::ranges::sort(point.runs, {}, &sweep_run::seed);
  return out;
}

std::vector<std::string> groups_in(const std::filesystem::path& runs_dir) {
  std::vector<std::string> out;
  for (const auto& [group, runs] : runs_by_group(runs_dir))
    if (runs.size() > 1) out.push_back(group);
  return out;
}

result<sweep_state> group_on_record(const std::filesystem::path& runs_dir,
                                    const std::string& group) {
  std::vector<grouped_run> runs;
  auto groups = runs_by_group(runs_dir);
  const auto found = groups.find(group);
  if (found == groups.end())
    return error{ec::not_found, fmt::format("no run in {} is of a group {}",
                                            runs_dir.string(), group)};
  std::ranges::stable_sort(found->second, {}, &placed_run::point);
  for (const auto& [run, point] : found->second) {
    std::error_code ignored;
    grouped_run one{run.id(), seed_in(run.id())};
    one.has_begun = std::filesystem::exists(run.events(), ignored);
    if (const auto status = read_run_status(run.path())) {
      one.state = status->state;
      one.reason = status->reason;
    }
    runs.push_back(std::move(one));
  }
  auto out = state_of_group(group, runs);
  for (auto& point : out.points)
    for (auto& run : point.runs)
      note_status(run, runs_dir);
  return out;
}

} // namespace brewery
