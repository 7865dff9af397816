#include "cli/compare/run_groups.hpp"

#include "base/text.hpp"
#include "cli/locate.hpp"
#include "sweep/sweep_state.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Whether the run began: it has a configuration.
bool has_begun(const std::filesystem::path& run) {
  std::error_code ignored;
  return std::filesystem::exists(run / "config.toml", ignored);
}

result<std::vector<named_runs>> points_of(const std::filesystem::path& sweep) {
  const auto state = read_sweep_state(sweep);
  if (!state) return state.error();
  std::vector<named_runs> out;
  for (const auto& point : state->points) {
    named_runs one{.name = point.name, .runs = {}};
    for (const auto& run : point.runs) {
      if (!has_begun(sweep / run.run)) continue;
      one.runs.push_back(sweep / run.run);
      if (run.cut)
        one.cut[one.runs.back()] =
            fmt::format("cut after iteration {}", run.cut->after);
    }
    if (!one.runs.empty()) out.push_back(std::move(one));
  }
  if (out.empty())
    return error{ec::not_found, fmt::format("no run of the sweep {} has begun",
                                            sweep.string())};
  return out;
}

result<named_runs> group_of(const std::string& word,
                            const std::filesystem::path& runs_dir) {
  named_runs out{.name = word, .runs = {}};
  std::vector<std::string> runs{word};
  const auto equals = word.find('=');
  std::error_code ignored;
  // A directory's name may have the character, too.
  if (equals != std::string::npos && !std::filesystem::exists(word, ignored)) {
    out.name = word.substr(0, equals);
    if (out.name.empty())
      return error{ec::invalid_argument,
                   fmt::format("no name before '=' in \"{}\"", word)};
    runs.clear();
    for (const auto run : split(std::string_view{word}.substr(equals + 1), ','))
      runs.emplace_back(run);
  }
  for (const auto& run : runs) {
    if (run.empty())
      return error{
          ec::invalid_argument,
          fmt::format("an empty run in \"{}\": write NAME=RUN,RUN", word)};
    auto path = locate_run(run, runs_dir);
    if (!path) return path.error();
    out.runs.push_back(std::move(*path));
  }
  return out;
}

} // namespace

bool is_sweep(const std::filesystem::path& directory) {
  std::error_code ignored;
  return std::filesystem::exists(sweep_state_file(directory), ignored);
}

std::size_t runs_not_begun(const std::vector<std::string>& words) {
  std::size_t out = 0;
  for (const auto& word : words) {
    if (!is_sweep(word)) continue;
    const auto state = read_sweep_state(word);
    if (!state) continue; // run_groups says why
    for (const auto& point : state->points)
      for (const auto& run : point.runs)
        out += !has_begun(std::filesystem::path{word} / run.run);
  }
  return out;
}

std::vector<named_runs> run_groups(const std::vector<std::string>& words,
                                   const std::filesystem::path& runs_dir,
                                   std::vector<error>& problems) {
  std::vector<named_runs> out;
  for (const auto& word : words) {
    if (is_sweep(word)) {
      auto points = points_of(word);
      if (!points) {
        problems.push_back(points.error());
        continue;
      }
      for (auto& one : *points)
        out.push_back(std::move(one));
      continue;
    }
    auto one = group_of(word, runs_dir);
    if (one)
      out.push_back(std::move(*one));
    else
      problems.push_back(one.error());
  }
  return out;
}

} // namespace brewery
