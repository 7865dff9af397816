#include "web/sweep_shelf.hpp"

#include "report/sweep/run_group.hpp"
#include "report/sweep/sweep_points.hpp"
#include "store/run_directory.hpp"
#include "web/file_stamp.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::web {

namespace {

namespace fs = std::filesystem;
using wall_clock = std::chrono::system_clock;

constexpr std::size_t sweeps_kept = 2;

/// What a run that goes on came to changes without its files: it may have been
/// killed. So it is looked at again after a while.
std::string stamp_with_time(const fs::path& run, bool goes_on,
                            wall_clock::time_point now) {
  constexpr auto while_running = std::chrono::seconds{10};
  auto out = stamp_of_run(run);
  if (goes_on) out += fmt::to_string(now.time_since_epoch() / while_running);
  return out;
}

bool goes_on(const result<figured_run>& made) {
  return made && (made->shown.state == "running");
}

} // namespace

std::vector<shown_sweep> sweep_shelf::list() const {
  if (root_.empty()) return {};
  std::vector<shown_sweep> out;
  if (is_sweep(root_)) out.push_back({root_.filename().string(), root_, ""});
  std::error_code failed;
  for (fs::directory_iterator it{root_, failed}, end; !failed && it != end;
       it.increment(failed)) {
    auto name = it->path().filename().string();
    if (run_directory::can_be_id(name) && is_sweep(it->path()))
      out.push_back({name, it->path(), name + '/'});
  }
  if (!is_sweep(root_)) // else its runs are those of the group
    for (auto& group : groups_in(root_))
      if (std::ranges::find(out, group, &shown_sweep::id) == out.end())
        out.push_back({group, root_ / group, ""});
  std::ranges::sort(out, {}, &shown_sweep::id);
  return out;
}

result<shown_sweep> sweep_shelf::find(const std::string& id) const {
  for (auto& one : list())
    if (one.id == id) return std::move(one);
  return error{ec::not_found, "no such sweep is shown here"};
}

const sweep_shelf::seen_run* sweep_shelf::known(const seen_sweep& seen,
                                                const fs::path& run,
                                                wall_clock::time_point now) {
  const auto found = seen.runs.find(run);
  if (found == seen.runs.end()
      || found->second.stamp
             != stamp_with_time(run, goes_on(found->second.made), now))
    return nullptr;
  return &found->second;
}

sweep_shelf::seen_sweep& sweep_shelf::place_of(const std::string& id) {
  if (!seen_.contains(id) && seen_.size() >= sweeps_kept)
    seen_.erase(std::ranges::min_element(
        seen_, {}, [](const auto& one) { return one.second.asked; }));
  auto& out = seen_[id];
  out.asked = ++asked_;
  return out;
}

result<sweep_reading> sweep_shelf::read(const shown_sweep& sweep,
                                        std::chrono::milliseconds time_max) {
  const auto found = runs_of_sweep(sweep.path);
  if (!found) return found.error();
  auto& seen = place_of(sweep.id);
  const auto now = wall_clock::now();
  const auto end = std::chrono::steady_clock::now() + time_max;
  sweep_reading out;
  std::string stamp;
  for (const auto& one : found->absent)
    stamp += one.run + ' ' + one.why + '\n';
  std::size_t fresh = 0;
  for (const auto& point : found->points)
    for (const auto& run : point.runs) {
      ++out.runs;
      const auto* one = known(seen, run, now);
      if (!one && (fresh == 0 || std::chrono::steady_clock::now() < end)) {
        ++fresh;
        // The stamp is older than what is read: a change is not missed.
        const auto before = stamp_with_time(run, true, now);
        auto made = figures_of_run(run, now);
        auto kept = goes_on(made) ? before : stamp_with_time(run, false, now);
        one = &seen.runs
                   .insert_or_assign(run,
                                     seen_run{std::move(kept), std::move(made)})
                   .first->second;
      }
      if (!one) continue;
      ++out.read;
      stamp +=
          '\n' + point.name + ' ' + run.filename().string() + ' ' + one->stamp;
      if (const auto cut = point.cut.find(run); cut != point.cut.end())
        stamp += cut->second;
    }
  if (out.read < out.runs) return out;
  if (seen.stamp != stamp) {
    std::vector<error> problems; // counted in the figures
    seen.figures =
        collect(sweep.id, found->points, now, problems,
                [&](const fs::path& run) { return seen.runs.at(run).made; });
    add_absent(seen.figures, found->not_begun, found->absent);
    seen.stamp = std::move(stamp);
  }
  out.figures = &seen.figures;
  return out;
}

} // namespace brewery::web
