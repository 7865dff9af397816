#pragma once
/// Completion scripts for shells: commands, options with their help, words that
/// an option accepts, keys of `--set`, and runs below `runs/`. A script is
/// whole in itself: it needs no other file and calls no program.

#include "cli/reference/command_tree.hpp"

namespace brewery {

/// All that a script is written from.
struct completed_program {
  std::vector<command_entry> commands; ///< as `command_tree` returns them
  std::vector<key_entry> keys;         ///< for `--set`
};

std::string bash_completion(const completed_program& program);
std::string zsh_completion(const completed_program& program);
std::string fish_completion(const completed_program& program);

/// A text as one word of bash and zsh: in single quotes.
std::string shell_quoted(const std::string& text);

} // namespace brewery
