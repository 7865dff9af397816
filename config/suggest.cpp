#include "config/suggest.hpp"

#include "base/text.hpp"
#include "config/option.hpp"

namespace brewery {

namespace {

std::vector<std::string> key_names(const option_section& section) {
  std::vector<std::string> names;
  for (const auto& item : section.options)
    names.push_back(item.name);
  return names;
}

/// The keys of the section's subsections, with their names.
std::vector<std::pair<std::string, std::string>>
keys_below(const std::string& section) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& inner : schema())
    if (inner.name.starts_with(section + '.'))
      for (const auto& item : inner.options)
        found.emplace_back(item.name, item.key());
  return found;
}

/// Exactly this key in other sections.
std::vector<std::string> same_key_elsewhere(const std::string& key) {
  std::vector<std::string> found;
  for (const auto& section : schema())
    if (find_option(section.name, key))
      found.push_back(section.name + '.' + key);
  return found;
}

} // namespace

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const auto& section : schema())
    names.push_back(section.name);
  return names;
}

std::string suggest_section(const std::string& section) {
  const auto near = nearest(section, section_names());
  if (!near.empty()) return "; did you mean [" + near + "]?";
  return "; sections are " + join(section_names(), ", ");
}

std::string suggest_key(const std::string& section, const std::string& key) {
  const auto elsewhere = same_key_elsewhere(key);
  constexpr std::size_t few = 3; // "kind" is a key of every role
  if (!elsewhere.empty() && elsewhere.size() <= few)
    return "; did you mean " + join(elsewhere, " or ") + "?";
  const auto* known = find_section(section);
  if (!known) return suggest_section(section);
  const auto near = nearest(key, key_names(*known));
  if (!near.empty()) return "; did you mean " + section + '.' + near + "?";
  if (const auto below = keys_below(section); !below.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, full] : below)
      names.push_back(name);
    const auto inner = nearest(key, names);
    for (const auto& [name, full] : below)
      if (name == inner) return "; did you mean " + full + "?";
  }
  return "; [" + section + "] has " + join(key_names(*known), ", ");
}

} // namespace brewery
