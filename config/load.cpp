#include "config/load.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "config/loader.hpp"
#include "config/suggest.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace brewery {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view variable_prefix = "BREWERY_";

std::string shown_key(const std::string& section, const std::string& key) {
  return section.empty() ? key : section + '.' + key;
}

bool is_section(const std::string& section, const std::string& key) {
  return has_subsections(section) && !find_option(section, key);
}

} // namespace

template <class Assign>
bool loader::assign_key(const std::string& section, const std::string& name,
                        source from, Assign assign_one) {
  if (const auto* known = find_option(section, name)) {
    assign_one(*known, from);
    return true;
  }
  from.old = find_moved(section, name);
  if (!from.old) return false;
  old_keys_.push_back({from.old, from.origin});
  // All take the same values, so one refusal is enough.
  for (const auto* item : from.old->now)
    if (!assign_one(*item, from)) break;
  return true;
}

void loader::add_file(std::string_view text) {
  const auto file = request_.file.string();
  const auto base = (request_.working_directory / request_.file).parent_path();
  const auto items = read_toml(text, file, &is_section);
  if (!items) return add_unreadable_file(ec::malformed, items.error().message);
  std::set<std::string> unknown_sections;
  for (const auto& item : *items) {
    const auto line = file + ':' + std::to_string(item.line);
    const auto where = line + ':' + std::to_string(item.column);
    if (!item.section.empty() && !find_section(item.section)) {
      // Reports one problem per section, not per key.
      if (unknown_sections.insert(item.section).second)
        invalid(where + ": unknown section [" + item.section + ']'
                + suggest_section(item.section));
    } else if (item.key.empty()
               || assign_key(item.section, item.key, {where, line, base},
                             [&](const option& known, const source& from) {
                               return assign(known, item.value, from);
                             })) {
      continue;
    } else if (find_section(item.key) && item.section.empty()) {
      invalid(where + ": " + item.key + " = " + item.value.text
              + ": expected a section, written [" + item.key + ']');
    } else {
      invalid(where + ": unknown key " + shown_key(item.section, item.key)
              + " = " + item.value.text + suggest_key(item.section, item.key));
    }
  }
}

void loader::add_variable(const std::string& name, const std::string& text) {
  if (!name.starts_with(variable_prefix)) return;
  const auto rest = lower(name.substr(variable_prefix.size()));
  const auto gap = rest.rfind("__");
  if (gap == std::string::npos) return;
  const auto section = replace_all(rest.substr(0, gap), "__", ".");
  const auto key = rest.substr(gap + 2);
  if (assign_key(section, key, {name, name, request_.working_directory},
                 [&](const option& known, const source& from) {
                   return assign_text(known, text, from);
                 }))
    return;
  invalid(name + ": unknown key " + shown_key(section, key)
          + suggest_key(section, key));
}

void loader::add_override(const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos)
    return invalid("--set " + assignment + ": expected section.key=value");
  const std::string key{trim(assignment.substr(0, equals))};
  const std::string text{trim(assignment.substr(equals + 1))};
  const auto dot = key.rfind('.');
  const auto section = dot == std::string::npos ? "" : key.substr(0, dot);
  const auto name = dot == std::string::npos ? key : key.substr(dot + 1);
  if (assign_key(section, name, {"--set", "--set", request_.working_directory},
                 [&](const option& known, const source& from) {
                   return assign_text(known, text, from);
                 }))
    return;
  invalid("--set: unknown key " + key + suggest_key(section, name));
}

namespace {

loaded_config finish(loader& work, const load_request& request) {
  work.next_source();
  for (const auto& [name, text] : request.environment)
    work.add_variable(name, text);
  work.next_source();
  for (const auto& assignment : request.overrides)
    work.add_override(assignment);
  return work.finish();
}

/// The installed one, or "; did you mean config/telecom.toml?", from files in
/// the same directory.
std::string suggest_file(const load_request& request) {
  if (auto hint = installed_instead(request.file, request.installed);
      !hint.empty())
    return hint;
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

std::string installed_instead(const fs::path& file, const fs::path& installed) {
  std::error_code failed;
  if (installed.empty() || !fs::is_regular_file(installed / file, failed))
    return "";
  return "; the one that was installed is " + (installed / file).string();
}

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
  // A user may name a pipe. What came with a run may be anything.
  if (request.stored && !folder && fs::exists(path, ignored)) {
    const auto text = read_plain_file(path);
    if (text) return parse_config(*text, request);
    work.add_unreadable_file(text.error().code, text.error().message);
    return finish(work, request);
  }
  std::ifstream in{path, std::ios::binary};
  if (folder || !in) {
    // Else the file is there, and the nearest one.
    const bool other = folder || errno == ENOENT;
    const std::string why = folder ? "is a directory" : std::strerror(errno);
    work.add_unreadable_file(
        ec::not_found, "cannot read configuration " + request.file.string()
                           + ": " + why + (other ? suggest_file(request) : ""));
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
  // Sorted, because the kernel's order is not stable.
  std::sort(found.begin(), found.end());
  return found;
}

} // namespace brewery
