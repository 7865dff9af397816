#pragma once
/// TOML text as a flat list of keys with positions and values: the only place
/// that knows toml++. Errors are ec::malformed, one line with line and column.

#include "base/result.hpp"
#include "config/option.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// A value as found. `shape` is empty when no option can have such a value
/// (a date, a table, a mixed list).
struct toml_value {
  std::optional<option_value> shape;
  std::string type; ///< "an integer", for messages
  std::string text; ///< as TOML, one line, shortened, for messages
};

struct toml_item {
  std::string section; ///< empty: a key before the first section
  std::string key;     ///< empty: the section's own header
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  toml_value value;
};

/// Items in file order.
result<std::vector<toml_item>> read_toml(std::string_view text,
                                         const std::string& file);

/// The same for files whose sections have two names, "[server.local]": the
/// section is then "server.local".
result<std::vector<toml_item>> read_toml_sections(std::string_view text,
                                                  const std::string& file);

/// One value, e.g. `3`, `"a"`, `[1, 2]`; error when it is not TOML.
result<toml_value> read_toml_value(std::string_view text);

/// A string as TOML writes it: quoted and escaped.
std::string quote_toml(std::string_view text);

/// A value as TOML writes it; numbers in their shortest exact form.
std::string write_toml(const option_value& value);

} // namespace brewery
