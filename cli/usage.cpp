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

/// The first option that its command does not have; else "".
std::string unknown_option(CLI::App& app,
                           const std::vector<std::string>& arguments) {
  CLI::App* at = &app;
  for (const auto& word : arguments) {
    const auto below = names_of(*at);
    if (std::find(below.begin(), below.end(), word) != below.end())
      at = at->get_subcommand(word);
    if (word == "--") break;
    if (!word.starts_with("--")) continue;
    const auto name = word.substr(0, word.find('='));
    if (at->get_option_no_throw(name) != nullptr) continue;
    std::vector<std::string> names;
    for (const auto* option : at->get_options())
      for (const auto& known : option->get_lnames())
        names.push_back(known);
    const auto near = nearest(name.substr(2), names);
    return "unknown option " + name
           + (near.empty() ? "" : "; did you mean --" + near + '?');
  }
  return "";
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

std::vector<std::string> help_words(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

std::string usage_message(CLI::App& app, const CLI::ParseError& problem,
                          const std::vector<std::string>& arguments) {
  const auto see = "; see `" + path_of(reached(app)) + " --help`";
  if (const auto unknown = unknown_option(app, arguments); !unknown.empty())
    return unknown + see;
  const std::string what = problem.what();
  return replace_all(what, "\n", " ") + see;
}

} // namespace brewery
