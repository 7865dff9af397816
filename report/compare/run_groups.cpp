#include "report/compare/run_groups.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "report/run_overview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace brewery {

namespace {

/// The points of the sweep, of which some run is there.
result<void> add_sweep(named_runs& out, const std::filesystem::path& sweep) {
  auto found = runs_of_sweep(sweep);
  if (!found) return found.error();
  if (out.points.empty() && out.first.empty()) {
    out.first = found->first;
    out.first_is_of_sweep = true;
  }
  if (found->points.empty()) {
    const bool begun = found->not_begun < found->absent.size();
    return error{ec::not_found,
                 begun ? fmt::format("no run of the sweep {} is there: {}: "
                                     "{}",
                                     sweep.string(), found->absent.front().run,
                                     found->absent.front().why)
                       : fmt::format("no run of the sweep {} has begun",
                                     sweep.string())};
  }
  out.not_begun += found->not_begun;
  std::ranges::move(found->points, std::back_inserter(out.points));
  std::ranges::move(found->absent, std::back_inserter(out.left_out));
  return {};
}

result<sweep_point> group_of(const std::string& word,
                             const run_places& places) {
  sweep_point out{.name = word, .runs = {}, .was_named = true};
  const auto equals = word.find('=');
  // A directory's name may have the character, too.
  auto whole = places.run(word);
  if (whole || equals == std::string::npos) {
    if (!whole)
      return error{whole.error().code, fmt::format("no sweep {}, and {}", word,
                                                   whole.error().message)};
    out.runs.push_back(std::move(*whole));
    return out;
  }
  out.name = word.substr(0, equals);
  if (out.name.empty())
    return error{ec::invalid_argument,
                 fmt::format("no name before '=' in \"{}\"", word)};
  for (const auto run : split(std::string_view{word}.substr(equals + 1), ',')) {
    if (run.empty())
      return error{
          ec::invalid_argument,
          fmt::format("an empty run in \"{}\": write NAME=RUN,RUN", word)};
    auto path = places.run(std::string{run});
    if (!path) return path.error();
    out.runs.push_back(std::move(*path));
  }
  return out;
}

/// Why the run has nothing to compare, as it goes on after its name.
error why_unmeasured(const evaluated_run& run, const std::string& arm,
                     const error& problem) {
  const auto about = overview_of(run.where, std::chrono::system_clock::now());
  // An arm that nobody has is a wrong word, whatever became of the run.
  if (!run.arms.empty() && !arm.empty()) return problem;
  switch (about.state) {
  case run_state::failed:
    return {problem.code,
            about.reason.empty() ? "failed" : "failed: " + about.reason};
  case run_state::running:
    return {problem.code, "is still going on, without a final evaluation"};
  case run_state::interrupted:
  case run_state::cancelled:
    return {problem.code,
            fmt::format("was {} before its final evaluation: resume it",
                        to_string(about.state))};
  default:
    return problem;
  }
}

result<measured_run> measured_in(const std::filesystem::path& path,
                                 const std::string& arm) {
  const auto run = open_evaluated(path);
  if (!run)
    return error{run.error().code, "cannot be read: " + run.error().message};
  auto made = measured_run_in(*run, arm);
  if (made) return made;
  return why_unmeasured(*run, arm, made.error());
}

} // namespace

named_runs run_groups(const std::vector<std::string>& words,
                      const run_places& places, std::vector<error>& problems) {
  named_runs out;
  for (const auto& word : words) {
    if (const auto sweep = places.sweep(word)) {
      if (auto ok = add_sweep(out, *sweep); !ok) problems.push_back(ok.error());
      continue;
    }
    auto one = group_of(word, places);
    if (!one) {
      problems.push_back(one.error());
      continue;
    }
    if (out.first.empty()) out.first = one->name;
    out.points.push_back(std::move(*one));
  }
  return out;
}

result<std::vector<run_group>> measured(named_runs& named,
                                        const std::string& arm) {
  std::vector<run_group> out;
  std::vector<sweep_point> kept;
  std::optional<error> first;
  for (auto& one : named.points) {
    run_group group{.name = one.name, .runs = {}};
    std::vector<std::filesystem::path> there;
    for (const auto& path : one.runs) {
      if (one.cut.contains(path)) continue;
      auto run = measured_in(path, arm);
      if (run) {
        group.runs.push_back(std::move(*run));
        there.push_back(path);
        continue;
      }
      const auto name = path.filename().string();
      if (!first)
        first = error{run.error().code,
                      fmt::format("run {}: {}", name, run.error().message)};
      named.left_out.push_back(
          {one.name, name, run.error().message, one.was_named});
    }
    if (group.runs.empty()) {
      if (out.empty() && !named.first_is_of_sweep && first) return *first;
      continue;
    }
    one.runs = std::move(there);
    out.push_back(std::move(group));
    kept.push_back(std::move(one));
  }
  named.points = std::move(kept);
  if (!out.empty()) return out;
  if (first) return *first;
  return error{ec::not_found, "halving cut all of these: none has a score"};
}

nlohmann::ordered_json cut_json(const std::vector<sweep_point>& named) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& one : named)
    for (const auto& [path, what] : one.cut)
      out.push_back({{"name", one.name},
                     {"run", path.filename().string()},
                     {"what", what}});
  return out;
}

std::string left_out_text(const named_runs& named) {
  std::string out;
  const auto& all = named.left_out;
  for (std::size_t i = 0; i < all.size();) {
    std::vector<std::string> runs;
    const auto& one = all[i];
    for (; i < all.size() && all[i].point == one.point && all[i].why == one.why;
         ++i)
      runs.push_back(all[i].run);
    out += fmt::format("left out: {}: {}\n", printable(join(runs, ", ")),
                       printable(one.why));
  }
  if (!named.points.empty() && named.points.front().name != named.first)
    out += fmt::format("The first point, {}, has no run that can be compared: "
                       "differences are to {}.\n",
                       printable(named.first),
                       printable(named.points.front().name));
  return out;
}

nlohmann::ordered_json left_out_json(const named_runs& named) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& one : named.left_out)
    out.push_back({{"name", one.point}, {"run", one.run}, {"what", one.why}});
  return out;
}

} // namespace brewery
