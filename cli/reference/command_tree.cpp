#include "cli/reference/command_tree.hpp"

#include "base/text.hpp"
#include "config/option.hpp"

#include <algorithm>
#include <set>

namespace brewery {

namespace {

/// What `--help` has behind an option: "TEXT", "TEXT:{a,b}", "INT:INT in
/// [1 - 9]", "FLOAT:NONNEGATIVE".
void read_type(const std::string& type, option_entry& to) {
  const auto colon = type.find(':');
  to.value = type.substr(0, colon);
  if (colon == std::string::npos) return;
  const auto checked = type.substr(colon + 1);
  if (checked.starts_with('{') && checked.ends_with('}')) {
    const auto words = checked.substr(1, checked.size() - 2);
    for (const auto word : split(words, ','))
      to.choices.emplace_back(word);
  } else if (const auto from = checked.find(" in ["); from != checked.npos) {
    const auto range = checked.substr(from + 5);
    to.range =
        "from " + replace_all(range.substr(0, range.size() - 1), " - ", " to ");
  } else if (checked == "NONNEGATIVE") {
    to.range = "at least 0";
  }
}

value_kind value_kind_of(const option_entry& option) {
  if (option.value.empty()) return value_kind::none;
  if (option.value == "KEY=VALUE") return value_kind::key;
  const auto& name = option.names.back();
  // A sweep is a directory of its runs beside them.
  const bool of_runs = name == "RUN" || name == "SWEEP" || name == "KB"
                       || name == "A" || name == "B" || name == "--tau2"
                       || name == "--replay" || name == "--like";
  return of_runs ? value_kind::run : value_kind::word;
}

/// Sorted: a set of pointers has another order in each process.
std::vector<std::string> names_of(const std::set<CLI::Option*>& options) {
  std::vector<std::string> out;
  for (const auto* option : options)
    out.push_back(option->get_name());
  std::sort(out.begin(), out.end());
  return out;
}

option_entry entry_of(const CLI::Option& option, const std::string& group) {
  option_entry out;
  for (const auto& name : option.get_snames())
    out.names.push_back('-' + name);
  for (const auto& name : option.get_lnames())
    out.names.push_back("--" + name);
  if (out.names.empty()) out.names.push_back(option.get_name(true));
  if (option.get_type_size() != 0) read_type(option.get_type_name(), out);
  out.sentence = option.get_description();
  out.preset = option.get_default_str();
  out.variable = option.get_envname();
  out.needs = names_of(option.get_needs());
  out.excludes = names_of(option.get_excludes());
  out.group = group;
  out.required = option.get_required();
  out.repeated = option.get_expected_max() > 1;
  out.kind = value_kind_of(out);
  return out;
}

void add_options(const CLI::App& from, const std::string& group,
                 command_entry& to) {
  for (const auto* option : from.get_options()) {
    auto& list = option->nonpositional() ? to.options : to.operands;
    list.push_back(entry_of(*option, group));
  }
}

void append(const CLI::App& app, const std::vector<std::string>& path,
            std::vector<command_entry>& out) {
  const auto at = out.size();
  out.emplace_back();
  out[at].path = path;
  out[at].sentence = app.get_description();
  out[at].footer = app.get_footer();
  add_options(app, "", out[at]);
  for (const auto* below :
       app.get_subcommands([](const CLI::App*) { return true; })) {
    if (below->get_name().empty()) { // a group of options
      add_options(*below, std::string{trim(below->get_description())}, out[at]);
      continue;
    }
    auto longer = path;
    longer.push_back(below->get_name());
    out[at].commands.push_back(out.size());
    append(*below, longer, out);
  }
}

} // namespace

std::vector<command_entry> command_tree(const CLI::App& app) {
  std::vector<command_entry> out;
  append(app, {}, out);
  return out;
}

std::string path_text(const command_entry& command,
                      const std::string& separator) {
  return join(command.path, separator);
}

std::vector<key_entry> configuration_keys() {
  std::vector<key_entry> out;
  for (const auto& section : schema())
    for (const auto& item : section.options)
      out.push_back({item.key(), item.sentence});
  return out;
}

} // namespace brewery
