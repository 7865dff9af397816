#include "cli/sweep/fetched_group.hpp"

#include "report/run_overview.hpp"
#include "report/sweep/run_group.hpp"
#include "store/directory_lock.hpp"
#include "sweep/run_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace brewery {

namespace {

/// As its log has them; a run whose log is in use has none here.
void add_scores(sweep_run& run, const run_overview& about) {
  run.score = about.score;
  for (const auto& arm : about.arms)
    if (arm.name == "no KB") run.without_documents = arm.reward;
}

} // namespace

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
