#pragma once
/// The commands of the program as plain values, read from the parser's own
/// tree: what completions and man pages are written from. Nothing is listed
/// twice, so they cannot say anything else than `--help`.

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace brewery {

/// What may stand in the place of a value.
enum class value_kind {
  none, ///< the option is a flag
  word, ///< one of `choices`; files if there are none
  key,  ///< `section.key=value` of a configuration
  run   ///< a run id, or a path
};

struct option_entry {
  std::vector<std::string> names; ///< "--json"; "-o", "--out"
  std::string value;              ///< "TEXT", "KIND[=WHERE]"; empty: a flag
  std::string sentence;           ///< may be empty
  std::string range;              ///< "from 0.1 to 3600"; empty: not known
  std::string preset;             ///< the default; empty: none is shown
  std::string variable;           ///< of the environment; empty: none
  std::string group;              ///< "With --workers:"; empty: the usual ones
  std::vector<std::string> choices;
  std::vector<std::string> needs, excludes; ///< names of other options
  value_kind kind = value_kind::none;
  bool required = false;
  bool repeated = false;
};

/// A command, or, with an empty path, the program.
struct command_entry {
  std::vector<std::string> path; ///< {"kb", "list"}
  std::string sentence;
  std::string footer; ///< prose and examples below the options in `--help`
  std::vector<option_entry> options;
  std::vector<option_entry> operands; ///< one name each: {"CONFIG"}
  /// One level below, in the order of `--help`, as indices into the list.
  std::vector<std::size_t> commands;
};

/// The program first, then each command before those below it.
std::vector<command_entry> command_tree(const CLI::App& app);

/// "kb list", "kb_list": the path of a command.
std::string path_text(const command_entry& command,
                      const std::string& separator = " ");

/// An option of configurations, for `--set`.
struct key_entry {
  std::string key; ///< "search.max_width"
  std::string sentence;
};
std::vector<key_entry> configuration_keys();

} // namespace brewery
