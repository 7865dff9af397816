#include "web/run_shelf.hpp"

#include "base/file.hpp"
#include "report/arm_rollouts.hpp"
#include "web/file_stamp.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::web {

namespace {

constexpr std::size_t indexes_max = 4;

/// An arm whose rollouts cannot be told, as without the data of its tasks, is
/// left out: its rollouts are then shown as those of the search.
std::map<std::string, std::set<job_id>> arms_of(const run_directory& run) {
  std::map<std::string, std::set<job_id>> out;
  const auto opened = open_evaluated(run.path());
  if (!opened) return out;
  for (const auto& arm : opened->arms) {
    const auto what = problem_for(*opened, arm);
    if (!what) continue;
    const auto found = rollouts_of(*opened, *what, arm);
    if (found) out[arm.name] = {found->logged.begin(), found->logged.end()};
  }
  return out;
}

} // namespace

result<std::vector<run_directory>> run_shelf::list() const {
  auto runs = run_directory::list(root_);
  if (!runs) return runs.error();
  if (!only_.empty())
    std::erase_if(*runs,
                  [&](const run_directory& run) { return run.id() != only_; });
  std::ranges::reverse(*runs);
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
  if (known.evaluations != known.index.evaluations()) {
    known.arms = arms_of(*run);
    known.evaluations = known.index.evaluations();
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
