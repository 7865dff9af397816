#pragma once
/// Reads TOML text as a flat list of keys with positions and values. Only this
/// file uses toml++. Errors are ec::malformed: one line with line and column.

#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace brewery {

/// An option's value in the shapes TOML has. Paths and choices are strings.
using option_value = std::variant<bool, std::int64_t, double, std::string,
                                  std::vector<std::string>>;

/// A value as found. `shape` is empty when no option can have such a value
/// (a date, a table, a mixed list).
struct toml_value {
  std::optional<option_value> shape;
  std::string type; ///< "an integer", for messages
  std::string text; ///< as TOML, one line, shortened, for messages
};

struct toml_item {
  std::string section; ///< empty: a key before the first section
  std::string key;     ///< empty: the header of the section
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  toml_value value;
};

/// Whether a table under `key` of a section is a section of its own, as in
/// "[environment.tau2]", and not a value.
using toml_nesting = bool (*)(const std::string& section,
                              const std::string& key);

/// The parser calls itself for each part of a dotted key and has no limit: a
/// key of many thousands would end the process. To be asked before every parse.
/// Error ec::malformed: a key has more than 100 parts.
result<void> check_toml_keys(std::string_view text, std::string_view file);

/// Items in file order. The section of a nested table is "environment.tau2".
result<std::vector<toml_item>>
read_toml(std::string_view text, const std::string& file, toml_nesting nested);

/// A value of a file of any shape, under the names of the tables around it.
struct toml_leaf {
  /// `grid."search.max_width"` and `grid.search.max_width` are both
  /// {"grid", "search.max_width"}: all below the outermost table is one name. A
  /// table in a list has its number after the list's name, from 0: {"points",
  /// "0", "name"}.
  std::vector<std::string> path;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  toml_value value;
  bool is_list = false;
  std::vector<toml_value> elements; ///< of a list, whatever their types
};

/// All values of a file, in file order. An empty table is one only if it is
/// outermost.
result<std::vector<toml_leaf>> read_toml_leaves(std::string_view text,
                                                const std::string& file);

/// Reads one value, e.g. `3`, `"a"`, `[1, 2]`. Error if it is not TOML.
result<toml_value> read_toml_value(std::string_view text);

/// A quoted and escaped TOML string.
std::string quote_toml(std::string_view text);

/// A TOML value; numbers in their shortest exact form.
std::string write_toml(const option_value& value);

} // namespace brewery
