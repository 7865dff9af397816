#pragma once
/// Man pages: one of the program, one of each command, one of configurations.
/// They have the words of `--help` and of the schema, and no date, so that the
/// same program writes the same bytes.

#include "cli/reference/command_tree.hpp"

namespace brewery {

struct manual_page {
  std::string name; ///< "brewery-kb-list"
  int section = 1;  ///< 1: commands; 5: files
  std::string text; ///< roff, with the macros of man(7)
};

/// Of the command at this place of the list.
manual_page command_page(const std::vector<command_entry>& commands,
                         std::size_t at);

/// brewery.toml(5): every option of a configuration, with its default.
manual_page configuration_page();

/// All of them.
std::vector<manual_page>
manual_pages(const std::vector<command_entry>& commands);

} // namespace brewery
