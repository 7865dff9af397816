#include "cli/compare/run_groups.hpp"

#include "base/text.hpp"
#include "cli/locate.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

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

std::vector<named_runs> run_groups(const std::vector<std::string>& words,
                                   const std::filesystem::path& runs_dir,
                                   std::vector<error>& problems) {
  std::vector<named_runs> out;
  for (const auto& word : words) {
    auto one = group_of(word, runs_dir);
    if (one)
      out.push_back(std::move(*one));
    else
      problems.push_back(one.error());
  }
  return out;
}

} // namespace brewery
