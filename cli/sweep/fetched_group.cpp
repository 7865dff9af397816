#include "cli/sweep/fetched_group.hpp"

#include "report/run_overview.hpp"
#include "store/directory_lock.hpp"
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
                                                : sweep_run_state::begun;
  if (out.state == sweep_run_state::failed) out.reason = from.reason;
  return out;
}

/// As its log has them; a run whose log is in use has none here.
void add_scores(sweep_run& run, const run_overview& about) {
  run.score = about.score;
  for (const auto& arm : about.arms)
    if (arm.name == "no KB") run.without_documents = arm.reward;
}

} // namespace

sweep_state state_of_group(const std::string& group,
                           const std::vector<grouped_run>& runs) {
  std::map<std::string, sweep_point_state> points;
  for (const auto& one : runs) {
    const auto name = point_of(group, one);
    auto& point = points[name];
    point.name = name;
    point.runs.push_back(run_of(one));
  }
  sweep_state out;
  for (auto& [name, point] : points) {
    std::ranges::sort(point.runs, {}, &sweep_run::seed);
    out.points.push_back(std::move(point));
  }
  return out;
}

result<void> can_hold_group(const std::filesystem::path& directory,
                            const std::vector<std::string>& ids) {
  const auto known = read_sweep_state(directory);
  if (!known)
    return known.error().code == ec::not_found ? result<void>{} : known.error();
  for (const auto& point : known->points)
    for (const auto& run : point.runs)
      if (std::ranges::find(ids, run.run) == ids.end())
        return error{
            ec::already_exists,
            fmt::format("{} has a sweep with run {}, which is not of this "
                        "group: fetch the group into another directory",
                        directory.string(), run.run)};
  return {};
}

result<void> note_group(const std::filesystem::path& directory,
                        const std::string& group,
                        const std::vector<std::string>& ids) {
  const auto lock = directory_lock::take(directory);
  if (!lock) return lock.error();
  std::vector<grouped_run> runs;
  std::map<std::string, run_overview> about;
  for (const auto& id : ids) {
    const auto folder = run_directory::open(directory, id);
    if (!folder) return folder.error();
    auto found = overview_of(*folder, std::chrono::system_clock::now());
    runs.push_back({id, found.seed, found.state, found.reason});
    about.emplace(id, std::move(found));
  }
  auto state = state_of_group(group, runs);
  for (auto& point : state.points)
    for (auto& run : point.runs) {
      note_status(run, directory);
      add_scores(run, about.at(run.run));
    }
  return write_sweep_state(directory, state);
}

} // namespace brewery
