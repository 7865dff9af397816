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

/// Items in file order. The section of a nested table is "environment.tau2".
result<std::vector<toml_item>>
read_toml(std::string_view text, const std::string& file, toml_nesting nested);

/// Reads one value, e.g. `3`, `"a"`, `[1, 2]`. Error if it is not TOML.
result<toml_value> read_toml_value(std::string_view text);

/// A quoted and escaped TOML string.
std::string quote_toml(std::string_view text);

/// A TOML value; numbers in their shortest exact form.
std::string write_toml(const option_value& value);

} // namespace brewery
