#include "report/compare/run_groups.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

result<std::vector<sweep_point>> points_of(const std::filesystem::path& sweep) {
  auto found = runs_of_sweep(sweep);
  if (!found) return found.error();
  if (found->points.empty())
    return error{ec::not_found, fmt::format("no run of the sweep {} has begun",
                                            sweep.string())};
  return std::move(found->points);
}

result<sweep_point> group_of(const std::string& word,
                             const run_places& places) {
  sweep_point out{.name = word, .runs = {}};
  const auto equals = word.find('=');
  // A directory's name may have the character, too.
  auto whole = places.run(word);
  if (whole || equals == std::string::npos) {
    if (!whole) return whole.error();
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

} // namespace

std::vector<sweep_point> run_groups(const std::vector<std::string>& words,
                                    const run_places& places,
                                    std::vector<error>& problems) {
  std::vector<sweep_point> out;
  for (const auto& word : words) {
    if (const auto sweep = places.sweep(word)) {
      auto points = points_of(*sweep);
      if (!points) {
        problems.push_back(points.error());
        continue;
      }
      for (auto& one : *points)
        out.push_back(std::move(one));
      continue;
    }
    auto one = group_of(word, places);
    if (one)
      out.push_back(std::move(*one));
    else
      problems.push_back(one.error());
  }
  return out;
}

std::vector<run_group> measured(const std::vector<sweep_point>& named,
                                const std::string& arm,
                                std::vector<error>& problems) {
  std::vector<run_group> out;
  for (const auto& one : named) {
    if (one.cut.size() == one.runs.size()) continue;
    auto& group = out.emplace_back();
    group.name = one.name;
    for (const auto& path : one.runs) {
      if (one.cut.contains(path)) continue;
      auto run = measured_run_in(path, arm);
      if (run)
        group.runs.push_back(std::move(*run));
      else
        problems.push_back(run.error());
    }
  }
  return out;
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

} // namespace brewery
