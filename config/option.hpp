#pragma once
/// An option described once: `--help`, `config print`, the example file, the
/// documentation and the validation all read this description. The default is
/// the member initialiser of the options struct, so it too is written once.

#include "config/config.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace brewery {

enum class option_kind { boolean, integer, number, text, path, choice, list };

/// An option's value in the shapes TOML has. Paths and choices are strings.
using option_value = std::variant<bool, std::int64_t, double, std::string,
                                  std::vector<std::string>>;

struct option {
  std::string section;
  std::string name;
  std::string sentence; ///< what it does; one sentence or two
  std::string unit;     ///< what a number counts; empty: dimensionless
  option_kind kind = option_kind::text;
  std::optional<double> min;        ///< inclusive
  std::optional<double> max;        ///< inclusive
  std::vector<std::string> choices; ///< of a choice, or of a list's elements
  std::function<option_value(const config&)> get;
  /// The value must have passed `check`.
  std::function<void(config&, const option_value&)> set;

  /// "section.name", as `--set` takes it.
  [[nodiscard]] std::string key() const { return section + '.' + name; }

  /// "BREWERY_SECTION__NAME".
  [[nodiscard]] std::string variable() const;
};

struct option_section {
  std::string name;
  std::string sentence;
  std::vector<option> options;
};

/// Every section and option, in the order files show them.
const std::vector<option_section>& schema();

/// Null when there is none.
const option_section* find_section(const std::string& name);
const option* find_option(const std::string& section, const std::string& name);
/// By "section.name".
const option* find_option(const std::string& key);

/// "an integer from 1 to 10", "one of \"a\", \"b\"": the tail of an error
/// message and of the option's help.
std::string expectation(const option& item);

/// Whether the value has the option's kind and lies in its range. An integer
/// is accepted where a number is expected.
bool accepts(const option& item, const option_value& value);

} // namespace brewery
