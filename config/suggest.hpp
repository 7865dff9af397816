#pragma once
/// "did you mean ...?" for misspelt names.

#include <string>
#include <vector>

namespace brewery {

/// Every section's name, in schema order.
std::vector<std::string> section_names();

/// For an unknown section, e.g. `; did you mean [search]?`, or the list of
/// sections if none is similar.
std::string suggest_section(const std::string& section);

/// For an unknown key of a known section: the most similar key, the section
/// that has the key, or the list of keys.
std::string suggest_key(const std::string& section, const std::string& key);

} // namespace brewery
