#pragma once
/// "did you mean ...?" for names a user got wrong.

#include <string>
#include <vector>

namespace brewery {

/// Every section's name, in schema order.
std::vector<std::string> section_names();

/// Tail for an unknown section, e.g. `; did you mean [search]?`, or the list of
/// sections when none is near.
std::string suggest_section(const std::string& section);

/// Tail for an unknown key of a known section: the nearest key, the section
/// the key belongs to, or the list of keys.
std::string suggest_key(const std::string& section, const std::string& key);

/// Tail for a word that is none of the choices; empty when none is near.
std::string suggest_choice(const std::string& word,
                           const std::vector<std::string>& choices);

} // namespace brewery
