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

/// Keys spelt exactly so in other sections.
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
  if (elsewhere.size() == 1) return "; did you mean " + elsewhere[0] + "?";
  const auto* known = find_section(section);
  if (!known) return suggest_section(section);
  const auto near = nearest(key, key_names(*known));
  if (!near.empty()) return "; did you mean " + section + '.' + near + "?";
  return "; [" + section + "] has " + join(key_names(*known), ", ");
}

std::string suggest_choice(const std::string& word,
                           const std::vector<std::string>& choices) {
  const auto near = nearest(lower(word), choices);
  return near.empty() ? "" : "; did you mean \"" + near + "\"?";
}

} // namespace brewery
