#include "cli/reference/manual.hpp"

#include "base/text.hpp"
#include "base/toml_reader.hpp"
#include "cli/reference/roff.hpp"
#include "config/option.hpp"

namespace brewery {

namespace {

constexpr const char* configuration_name = "brewery.toml";

std::string page_name(const command_entry& command) {
  return "brewery"
         + (command.path.empty() ? "" : '-' + path_text(command, "-"));
}

std::string first_words(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

std::string name_section(const std::string& name, const std::string& sentence) {
  return roff::heading("NAME") + roff::prose(name) + " \\- "
         + roff::prose(first_words(sentence)) + '\n';
}

std::string operand_text(const option_entry& operand) {
  auto out = roff::italic(operand.names.front());
  if (operand.repeated) out += " ...";
  return operand.required ? out : '[' + out + ']';
}

std::string synopsis(const command_entry& command) {
  auto out =
      roff::heading("SYNOPSIS")
      + roff::bold(command.path.empty() ? "brewery"
                                        : "brewery " + path_text(command))
      + " [" + roff::italic("OPTIONS") + ']';
  if (!command.commands.empty()) out += ' ' + roff::italic("COMMAND");
  for (const auto& operand : command.operands)
    out += ' ' + operand_text(operand);
  return out + '\n';
}

std::string facts_of(const option_entry& option) {
  std::vector<std::string> facts;
  if (!option.choices.empty())
    facts.push_back("One of " + join(option.choices, ", ") + '.');
  if (!option.range.empty()) facts.push_back("A number " + option.range + '.');
  if (!option.preset.empty())
    facts.push_back("Default: " + option.preset + '.');
  if (!option.variable.empty())
    facts.push_back("Also from the environment: " + option.variable + '.');
  if (!option.needs.empty())
    facts.push_back("Needs " + join(option.needs, ", ") + '.');
  if (!option.excludes.empty())
    facts.push_back("Not with " + join(option.excludes, ", ") + '.');
  if (option.required) facts.emplace_back("Required.");
  return join(facts, " ");
}

std::string option_item(const option_entry& option) {
  std::string term;
  for (const auto& name : option.names)
    term += (term.empty() ? "" : ", ") + roff::bold(name);
  if (!option.value.empty()) term += ' ' + roff::italic(option.value);
  const auto facts = facts_of(option);
  const auto space = option.sentence.empty() || facts.empty() ? "" : " ";
  return roff::item(term, roff::prose(option.sentence + space + facts));
}

std::string options_section(const command_entry& command) {
  std::string out;
  if (!command.operands.empty()) {
    out += roff::heading("ARGUMENTS");
    for (const auto& operand : command.operands)
      out += roff::item(operand_text(operand), roff::prose(operand.sentence));
  }
  out += roff::heading("OPTIONS");
  std::string group;
  for (const auto& option : command.options) {
    if (option.group != group) out += roff::subheading(option.group);
    group = option.group;
    out += option_item(option);
  }
  return out;
}

std::string commands_section(const std::vector<command_entry>& commands,
                             const command_entry& command) {
  if (command.commands.empty()) return "";
  auto out = roff::heading("COMMANDS");
  for (const auto index : command.commands)
    out += roff::item(roff::bold("brewery " + path_text(commands[index])),
                      roff::prose(commands[index].sentence));
  return out;
}

/// What `--help` has below the options: prose, then examples, then notes.
struct footer_parts {
  std::string prose, examples, notes;
};

footer_parts parts_of(const std::string& footer) {
  footer_parts out;
  auto* to = &out.prose;
  for (const auto view : split(footer, '\n')) {
    const std::string line{view};
    if (line == "Examples:" || line == "Example:") {
      to = &out.examples;
      continue;
    }
    if (to == &out.examples && !line.empty() && !line.starts_with("  "))
      to = &out.notes;
    *to += line + '\n';
  }
  return out;
}

std::string section_of(const std::string& name, const std::string& text) {
  return text.empty() ? "" : roff::heading(name) + roff::paragraphs(text);
}

std::string see_also(const std::vector<command_entry>& commands,
                     const command_entry& command) {
  std::vector<std::string> pages;
  const auto add = [&](const std::string& name, int section) {
    pages.push_back(roff::bold(name) + '(' + std::to_string(section) + ')');
  };
  if (!command.path.empty()) add("brewery", 1);
  for (const auto& other : commands)
    if (other.path.size() == 2 && command.path.size() == 2
        && other.path.front() == command.path.front()
        && other.path != command.path)
      add(page_name(other), 1);
  for (const auto index : command.commands)
    add(page_name(commands[index]), 1);
  add(configuration_name, 5);
  return roff::heading("SEE ALSO") + join(pages, ",\n") + '\n';
}

} // namespace

manual_page command_page(const std::vector<command_entry>& commands,
                         std::size_t at) {
  const auto& command = commands[at];
  manual_page out{page_name(command), 1, {}};
  const auto footer = parts_of(command.footer);
  out.text = roff::title(out.name, 1) + name_section(out.name, command.sentence)
             + synopsis(command) + roff::heading("DESCRIPTION")
             + roff::prose(command.sentence) + '\n'
             + roff::paragraphs(footer.prose) + options_section(command)
             + commands_section(commands, command)
             + section_of("EXAMPLES", footer.examples)
             + section_of("NOTES", footer.notes) + see_also(commands, command);
  return out;
}

manual_page configuration_page() {
  manual_page out{configuration_name, 5, {}};
  out.text =
      roff::title(out.name, 5)
      + name_section(out.name, "configuration of a run of Brewery")
      + roff::heading("DESCRIPTION")
      + roff::prose(
          "A file of this kind is the CONFIG of `brewery run`. Later "
          "wins: default, file, BREWERY_SECTION__KEY in the environment, "
          "--set section.key=value. Relative paths in a file are "
          "relative to that file, elsewhere to the working directory.")
      + '\n';
  const config defaults;
  for (const auto& section : schema()) {
    out.text += roff::heading('[' + section.name + ']')
                + roff::prose(section.sentence) + '\n';
    for (const auto& item : section.options) {
      auto value = expectation(item);
      if (!item.unit.empty()) value += ", in " + item.unit;
      out.text +=
          roff::item(roff::bold(item.name) + " = "
                         + roff::italic(write_toml(item.get(defaults))),
                     roff::prose(item.sentence + " Value: " + value + '.'));
    }
  }
  out.text += roff::heading("SEE ALSO") + roff::bold("brewery") + "(1),\n"
              + roff::bold("brewery-config-print") + "(1)\n";
  return out;
}

std::vector<manual_page>
manual_pages(const std::vector<command_entry>& commands) {
  std::vector<manual_page> out;
  for (std::size_t at = 0; at < commands.size(); ++at)
    out.push_back(command_page(commands, at));
  out.push_back(configuration_page());
  return out;
}

} // namespace brewery
