#pragma once
/// The accessibility tree as a table of what can be seen and used, as the
/// official PromptAgent shows it to a model (mm_agents/agent.py,
/// linearize_accessibility_tree): one line for each element, with tabs between
/// tag, name, text, class, description, position and size. Pure.

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery::osworld {

/// One line of the table.
struct tree_element {
  std::string tag, name, text, kind, description;
  std::string position; ///< "(x, y)" of its top left corner, in pixels
  std::string size;     ///< "(w, h)"
};

/// The elements that the official agent keeps. Error ec::malformed: no XML.
result<std::vector<tree_element>> visible_elements(std::string_view xml);

/// The table with its head. Official text, character by character.
std::string tree_table(const std::vector<tree_element>& elements);

/// At most `bytes_most`, cut after a whole line; then "[...]" says so. The
/// official agent cuts at 10,000 tokens of GPT-4, some 30,000 bytes.
std::string cut_table(std::string table, std::size_t bytes_most);

} // namespace brewery::osworld
