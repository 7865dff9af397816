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

/// The command that the words name.
CLI::App* named(CLI::App& app, const std::vector<std::string>& arguments) {
  CLI::App* at = &app;
  for (const auto& word : arguments) {
    const auto below = names_of(*at);
    if (std::find(below.begin(), below.end(), word) != below.end())
      at = at->get_subcommand(word);
  }
  return at;
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
    const auto* meant = named(app, arguments);
    if (meant->get_option_no_throw(name) != nullptr)
      return name + " stands behind the command: `" + path_of(*meant) + ' '
             + name + '`';
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

constexpr std::size_t help_width = 80;
/// Where the parser's help has descriptions of options and commands.
constexpr std::size_t description_column = 30;

/// Where the rest of a long line begins.
std::string indent_of(const std::string& line) {
  const auto first = line.find_first_not_of(' ');
  if (first == std::string::npos || first == 0) return {};
  if (line.starts_with("  brewery ")) return std::string(6, ' ');
  const bool described = line.size() > description_column
                         && line[description_column - 1] == ' '
                         && line[description_column] != ' ';
  return std::string(described ? description_column : first + 2, ' ');
}

void append_fitted(std::string line, std::string& out) {
  const auto indent = indent_of(line);
  const std::string more = line.starts_with("  brewery ") ? " \\" : "";
  while (line.size() > help_width) {
    const auto at = line.rfind(' ', help_width - more.size());
    // A word that fits nowhere stays whole.
    if (at == std::string::npos || trim(line.substr(0, at)).empty()) break;
    out += std::string{line, 0, at} + more + '\n';
    line = indent + line.substr(at + 1);
  }
  out += line + '\n';
}

/// A line of running text, which may be joined with the one before.
bool is_prose(const std::string& line) {
  return !line.empty() && line.front() != ' ' && line.back() != ':'
         && !line.starts_with("Usage:");
}

} // namespace

std::string fitted_help(const std::string& text) {
  std::string out, paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) append_fitted(std::move(paragraph), out);
    paragraph.clear();
  };
  auto lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (const auto view : lines) {
    const std::string line{view};
    if (is_prose(line)) {
      paragraph += (paragraph.empty() ? "" : " ") + line;
      continue;
    }
    end_paragraph();
    append_fitted(line, out);
  }
  end_paragraph();
  return out;
}

std::string unknown_command(CLI::App& app,
                            const std::vector<std::string>& arguments) {
  CLI::App* at = &app;
  std::string before;
  for (const auto& word : arguments) {
    const auto names = names_of(*at);
    if (names.empty() || word.starts_with('-')) return "";
    // It may be the value of a positional, as a run's id.
    if (at != &app && !at->get_options([](const CLI::Option* one) {
                           return one->get_positional();
                         }).empty())
      return "";
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
