#include "web/run_shelf.hpp"

#include "base/file.hpp"
#include "report/arm_rollouts.hpp"
#include "store/run_status.hpp"
#include "web/file_stamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace brewery::web {

namespace {

constexpr std::size_t indexes_max = 4;

/// "runs/" and "runs/." as "runs": its last part is a name.
std::filesystem::path with_name(std::filesystem::path directory) {
  while (directory.has_relative_path() && directory.has_parent_path()
         && (directory.filename().empty() || directory.filename() == "."))
    directory = directory.parent_path();
  return directory;
}

/// An arm whose rollouts cannot be told, as without the data of its tasks, is
/// left out: its rollouts are then shown as those of the search.
arms_of_run arms_of(const run_directory& run) {
  arms_of_run out;
  const auto opened = open_evaluated(run.path());
  if (!opened) return out;
  for (const auto& arm : opened->arms) {
    const auto what = problem_for(*opened, arm);
    if (!what) continue;
    const auto found = rollouts_of(*opened, *what, arm);
    if (!found) continue;
    auto& rollouts = out[arm.name];
    for (std::size_t i = 0; i < found->logged.size(); ++i)
      rollouts.emplace(found->logged[i], found->trials[i]);
  }
  return out;
}

} // namespace

run_shelf::run_shelf(const std::filesystem::path& root, std::string only)
    : root_(with_name(root)), only_(std::move(only)),
      sweeps_(only_.empty() ? root_ : std::filesystem::path{}) {}

/// As its overview has it, without reading its log.
run_shelf::seen_start run_shelf::start_of(const run_directory& run) const {
  // A status is replaced, and never changed in place.
  auto file = file_identity(run.path() / "status.json");
  const auto seen = starts_.find(run.id());
  if (!file.empty() && seen != starts_.end() && seen->second.file == file)
    return seen->second;
  if (const auto status = read_run_status(run.path()))
    return {std::move(file), status->started_ms};
  // It has not begun, or is of an older release.
  std::error_code failed;
  const auto made = std::filesystem::last_write_time(run.config(), failed);
  if (failed) return {};
  const auto since_1970 =
      std::chrono::file_clock::to_sys(made).time_since_epoch();
  return {{},
          std::chrono::duration_cast<std::chrono::milliseconds>(since_1970)
              .count()};
}

result<std::vector<run_directory>> run_shelf::list() {
  auto runs = run_directory::list(root_);
  if (!runs) return runs.error();
  if (!only_.empty())
    std::erase_if(*runs,
                  [&](const run_directory& run) { return run.id() != only_; });
  std::map<std::string, seen_start> starts; // without runs that are gone
  for (const auto& run : *runs)
    starts.emplace(run.id(), start_of(run));
  starts_ = std::move(starts);
  std::ranges::reverse(*runs);
  std::ranges::stable_sort(*runs, std::greater{}, [&](const auto& run) {
    return starts_.find(run.id())->second.ms;
  });
  return runs;
}

result<run_directory> run_shelf::find(const std::string& id) const {
  if (const auto slash = id.find('/'); slash != std::string::npos) {
    const auto sweep = sweeps_.find(id.substr(0, slash));
    const auto run = id.substr(slash + 1);
    if (!sweep || sweep->prefix.empty() || !run_directory::can_be_id(run))
      return error{ec::not_found, "no run has such an id"};
    return run_directory::open(sweep->path, run);
  }
  // An id is checked before it becomes a path: it has no "/" and no "..".
  if (auto ok = run_directory::can_be_id(id); !ok)
    return error{ec::not_found, "no run has such an id"};
  if (!only_.empty() && id != only_)
    return error{ec::not_found, "only run " + only_ + " is shown here"};
  return run_directory::open(root_, id);
}

run_overview run_shelf::overview(const run_directory& run,
                                 std::chrono::system_clock::time_point now) {
  auto stamp = stamp_of_run(run.path());
  const auto seen = overviews_.find(run.path());
  if (seen != overviews_.end() && seen->second.stamp == stamp)
    return seen->second.about;
  auto about = overview_of(run, now);
  // The state and time of one that goes on change without its files.
  if (about.state == run_state::running)
    overviews_.erase(run.path());
  else
    overviews_.insert_or_assign(run.path(),
                                seen_overview{std::move(stamp), about});
  return about;
}

run_shelf::indexed& run_shelf::index_of(const run_directory& run) {
  const auto file = file_identity(run.events());
  const auto found = std::ranges::find_if(indexes_, [&](const indexed& one) {
    return one.id == run.id() && one.file == file;
  });
  if (found != indexes_.end()) {
    indexes_.splice(indexes_.begin(), indexes_, found);
  } else {
    indexes_.push_front({run.id(), file, {}, {}, {}, {}, 0});
    if (indexes_.size() > indexes_max) indexes_.pop_back();
  }
  return indexes_.front();
}

result<open_run> run_shelf::open(const std::string& id) {
  auto run = find(id);
  if (!run) return run.error();
  auto log = event_log::open_for_reading(run->path());
  if (!log) return log.error();
  auto& known = index_of(*run);
  if (auto ok = known.index.extend(**log); !ok) return ok.error();
  if (known.last_evaluation != known.index.last_evaluation()
      || known.readings != known.index.readings()) {
    known.arms = arms_of(*run);
    known.last_evaluation = known.index.last_evaluation();
    known.readings = known.index.readings();
  }
  if (auto ok = known.calls.extend(run->path()); !ok) return ok.error();
  return open_run{std::move(*run), std::move(*log), &known.index, &known.arms,
                  &known.calls};
}

result<const std::vector<search_tree>*>
run_shelf::trees(const std::string& id) {
  const auto run = find(id);
  if (!run) return run.error();
  const auto log = event_log::open_for_reading(run->path());
  if (!log) return log.error();
  auto& known = index_of(*run);
  if (auto ok = known.trees.extend(**log); !ok) return ok.error();
  return &known.trees.trees();
}

} // namespace brewery::web
