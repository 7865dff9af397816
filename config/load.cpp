#include "config/load.hpp"

#include "base/text.hpp"
#include "config/rules.hpp"
#include "config/suggest.hpp"
#include "config/toml_reader.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <unistd.h>

namespace brewery {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view variable_prefix = "BREWERY_";

/// Folds the sources into one configuration, later ones over earlier ones.
class loader {
public:
  explicit loader(const load_request& request) : request_(request) {}

  void add_file(std::string_view text);
  void add_variable(const std::string& name, const std::string& text);
  void add_override(const std::string& assignment);
  void add_problem(ec code, std::string message) {
    out_.problems.push_back({code, std::move(message)});
  }
  /// The file's values are unknown, so no rule between options can be judged.
  void add_unreadable_file(ec code, std::string message) {
    add_problem(code, std::move(message));
    out_.file_read = false;
  }
  loaded_config finish();

private:
  struct source {
    std::string where;  ///< for problems: "a.toml:3:1", "--set"
    std::string origin; ///< for `--origin`: "a.toml:3", "--set"
    fs::path base;      ///< what relative paths are relative to
  };

  void assign(const option& item, const toml_value& value, const source& from);
  void assign_text(const option& item, const std::string& text,
                   const source& from);
  void resolve_default_paths();
  void check_rules();
  void invalid(std::string message) {
    add_problem(ec::invalid_config, std::move(message));
  }

  const load_request& request_;
  loaded_config out_;
  std::set<std::string> unreadable_; ///< keys whose value was refused
};

std::string absolute_path(const std::string& path, const fs::path& base) {
  if (path.empty()) return path;
  return (base / path).lexically_normal().string();
}

std::string shown_key(const std::string& section, const std::string& key) {
  return section.empty() ? key : section + '.' + key;
}

/// What is wrong with a word or a list of words, beyond the expectation.
std::string hint(const option& item, const option_value& value) {
  if (const auto* word = std::get_if<std::string>(&value))
    return suggest_choice(*word, item.choices);
  if (const auto* list = std::get_if<std::vector<std::string>>(&value))
    for (const auto& word : *list)
      if (std::find(item.choices.begin(), item.choices.end(), word)
          == item.choices.end())
        return suggest_choice(word, item.choices);
  return "";
}

/// Whether only the value, not its type, is wrong.
bool right_type(const option& item, const option_value& value) {
  // NaN is a number, although no range has it.
  if (item.kind == option_kind::number && std::get_if<double>(&value))
    return true;
  option unbounded = item;
  unbounded.min = unbounded.max = std::nullopt;
  unbounded.choices.clear();
  return accepts(unbounded, value);
}

/// A list of free words may be written as one word.
std::optional<option_value> taken(const option& item, const toml_value& value) {
  if (!value.shape || accepts(item, *value.shape)) return value.shape;
  const auto* word = std::get_if<std::string>(&*value.shape);
  if (word && item.kind == option_kind::list && item.choices.empty())
    return std::vector<std::string>{*word};
  return std::nullopt;
}

void loader::assign(const option& item, const toml_value& value,
                    const source& from) {
  if (auto shape = taken(item, value)) {
    auto accepted = std::move(*shape);
    if (item.kind == option_kind::path)
      accepted = absolute_path(std::get<std::string>(accepted), from.base);
    item.set(out_.value, accepted);
    out_.origins[item.key()] = from.origin;
    unreadable_.erase(item.key());
    return;
  }
  std::string message = from.where + ": " + item.key() + " = " + value.text
                        + ": expected " + expectation(item);
  if (value.shape && right_type(item, *value.shape))
    message += hint(item, *value.shape);
  else
    message += ", found " + value.type;
  invalid(std::move(message));
  unreadable_.insert(item.key());
}

void loader::add_file(std::string_view text) {
  const auto file = request_.file.string();
  const auto base = (request_.working_directory / request_.file).parent_path();
  const auto items = read_toml(text, file);
  if (!items) return add_unreadable_file(ec::malformed, items.error().message);
  std::set<std::string> unknown_sections;
  for (const auto& item : *items) {
    const auto line = file + ':' + std::to_string(item.line);
    const auto where = line + ':' + std::to_string(item.column);
    if (!item.section.empty() && !find_section(item.section)) {
      // One problem per section, not one per key in it.
      if (unknown_sections.insert(item.section).second)
        invalid(where + ": unknown section [" + item.section + ']'
                + suggest_section(item.section));
    } else if (item.key.empty()) {
      continue;
    } else if (const auto* known = find_option(item.section, item.key)) {
      assign(*known, item.value, {where, line, base});
    } else if (find_section(item.key) && item.section.empty()) {
      invalid(where + ": " + item.key + " = " + item.value.text
              + ": expected a section, written [" + item.key + ']');
    } else {
      invalid(where + ": unknown key " + shown_key(item.section, item.key)
              + " = " + item.value.text + suggest_key(item.section, item.key));
    }
  }
}

/// Text that is no TOML value of the option's kind is taken as a bare word.
void loader::assign_text(const option& item, const std::string& text,
                         const source& from) {
  auto value = read_toml_value(text);
  const bool words = item.kind == option_kind::text
                     || item.kind == option_kind::path
                     || item.kind == option_kind::choice;
  const bool is_string = value && value->shape
                         && std::holds_alternative<std::string>(*value->shape);
  if (words && !is_string) value = read_toml_value(quote_toml(text));
  if (item.kind == option_kind::list && !value) {
    std::vector<std::string> parts;
    for (const auto part : split(text, ','))
      if (!trim(part).empty()) parts.push_back(quote_toml(trim(part)));
    value = read_toml_value('[' + join(parts, ", ") + ']');
  }
  if (!value) value = read_toml_value(quote_toml(text));
  if (value) return assign(item, *value, from);
  invalid(from.where + ": " + item.key() + ": the value is not UTF-8 text");
  unreadable_.insert(item.key());
}

void loader::add_variable(const std::string& name, const std::string& text) {
  if (!name.starts_with(variable_prefix)) return;
  const auto rest = lower(name.substr(variable_prefix.size()));
  const auto gap = rest.find("__");
  if (gap == std::string::npos) return;
  const auto section = rest.substr(0, gap);
  const auto key = rest.substr(gap + 2);
  if (const auto* known = find_option(section, key))
    return assign_text(*known, text, {name, name, request_.working_directory});
  invalid(name + ": unknown key " + shown_key(section, key)
          + suggest_key(section, key));
}

void loader::add_override(const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos)
    return invalid("--set " + assignment + ": expected section.key=value");
  const std::string key{trim(assignment.substr(0, equals))};
  const std::string text{trim(assignment.substr(equals + 1))};
  if (const auto* known = find_option(key))
    return assign_text(*known, text,
                       {"--set", "--set", request_.working_directory});
  const auto dot = key.find('.');
  const auto section = dot == std::string::npos ? "" : key.substr(0, dot);
  const auto name = dot == std::string::npos ? key : key.substr(dot + 1);
  invalid("--set: unknown key " + key + suggest_key(section, name));
}

void loader::resolve_default_paths() {
  for (const auto& section : schema())
    for (const auto& item : section.options)
      if (item.kind == option_kind::path)
        item.set(out_.value,
                 absolute_path(std::get<std::string>(item.get(out_.value)),
                               request_.working_directory));
}

void loader::check_rules() {
  for (const auto& rule : config_rules()) {
    const bool readable = std::none_of(
        rule.keys.begin(), rule.keys.end(),
        [this](const auto& key) { return unreadable_.count(key); });
    if (!readable) continue;
    if (const auto what = rule.broken(out_.value); !what.empty())
      invalid(place(out_, rule.keys.front()) + ": " + what);
  }
}

loaded_config loader::finish() {
  resolve_default_paths();
  if (out_.file_read) check_rules();
  return std::move(out_);
}

loaded_config finish(loader& work, const load_request& request) {
  for (const auto& [name, text] : request.environment)
    work.add_variable(name, text);
  for (const auto& assignment : request.overrides)
    work.add_override(assignment);
  return work.finish();
}

/// "; did you mean config/telecom.toml?" from the files beside a missing one.
std::string suggest_file(const load_request& request) {
  std::vector<std::string> names;
  std::error_code failed;
  const auto folder = (request.working_directory / request.file).parent_path();
  for (const auto& entry : fs::directory_iterator{folder, failed})
    if (entry.path().extension() == ".toml" && !entry.is_directory())
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  const auto near = nearest(request.file.filename().string(), names);
  if (near.empty()) return "";
  return "; did you mean " + (request.file.parent_path() / near).string() + '?';
}

} // namespace

loaded_config parse_config(std::string_view text, const load_request& request) {
  loader work{request};
  work.add_file(text);
  return finish(work, request);
}

loaded_config load_config(const load_request& request) {
  loader work{request};
  if (request.file.empty()) return finish(work, request);
  const auto path = request.working_directory / request.file;
  std::error_code ignored;
  const bool folder = fs::is_directory(path, ignored);
  std::ifstream in{path, std::ios::binary};
  if (folder || !in) {
    const auto why = folder ? "is a directory" : std::strerror(errno);
    work.add_unreadable_file(ec::not_found, "cannot read configuration "
                                                + request.file.string() + ": "
                                                + why + suggest_file(request));
    return finish(work, request);
  }
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  return parse_config(text, request);
}

std::vector<std::pair<std::string, std::string>> brewery_environment() {
  std::vector<std::pair<std::string, std::string>> found;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text{*entry};
    const auto equals = text.find('=');
    if (text.starts_with(variable_prefix) && equals != std::string_view::npos)
      found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  // The kernel gives no order; problems should come in a stable one.
  std::sort(found.begin(), found.end());
  return found;
}

} // namespace brewery
