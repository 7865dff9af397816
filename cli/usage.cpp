#include "cli/usage.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace brewery {

namespace {

std::vector<std::string> names_of(CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command :
       app.get_subcommands([](CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// The innermost command that was parsed.
const CLI::App& reached(const CLI::App& app) {
  const auto below = app.get_subcommands();
  return below.empty() ? app : reached(*below.back());
}

std::string path_of(const CLI::App& app) {
  const auto* parent = app.get_parent();
  return parent ? path_of(*parent) + ' ' + app.get_name() : app.get_name();
}

} // namespace

std::string unknown_command(CLI::App& app,
                            const std::vector<std::string>& arguments) {
  CLI::App* at = &app;
  std::string before;
  for (const auto& word : arguments) {
    const auto names = names_of(*at);
    if (names.empty() || word.starts_with('-')) return "";
    const bool known =
        std::find(names.begin(), names.end(), word) != names.end();
    auto* next = known ? at->get_subcommand(word) : nullptr;
    if (!next) {
      const auto near = nearest(word, names);
      return "unknown command \"" + before + word + '"'
             + (near.empty() ? "; commands are " + join(names, ", ")
                             : "; did you mean \"" + before + near + "\"?");
    }
    before += word + ' ';
    at = next;
  }
  return "";
}

std::string usage_message(CLI::App& app, const CLI::ParseError& problem) {
  const std::string what = problem.what();
  return replace_all(what, "\n", " ") + "; see `" + path_of(reached(app))
         + " --help`";
}

} // namespace brewery
