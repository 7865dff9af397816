#pragma once
/// An option is described once: `--help`, `config print`, the example file, the
/// documentation and the validation all use this description. The default is
/// the member initialiser of the options struct, so it too is written only
/// once.

#include "base/toml_reader.hpp"
#include "config/config.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

enum class option_kind {
  boolean,
  integer,
  integer_or_word, ///< a word of `choices` stands for a number
  number,
  text,
  path,
  choice,
  list
};

struct option {
  std::string section; ///< "environment", "environment.tau2"
  std::string name;
  std::string sentence; ///< what it does, in one or two sentences
  std::string unit;     ///< what a number counts; empty: dimensionless
  option_kind kind = option_kind::text;
  std::optional<double> min;        ///< inclusive
  std::optional<double> max;        ///< inclusive
  std::vector<std::string> choices; ///< words, also those of a list's elements
  std::function<option_value(const config&)> get;
  /// The value must have passed `accepts`.
  std::function<void(config&, const option_value&)> set;

  /// "section.name", as `--set` takes it.
  [[nodiscard]] std::string key() const { return section + '.' + name; }

  /// "BREWERY_SECTION__NAME". A dot in the section's name becomes "__" too.
  [[nodiscard]] std::string variable() const;
};

struct option_section {
  std::string name;
  std::string sentence;
  std::vector<option> options;
};

/// All sections and options, in the order of files.
const std::vector<option_section>& schema();

/// Null if there is none.
const option_section* find_section(const std::string& name);
/// Whether there are sections "NAME.something".
bool has_subsections(const std::string& name);
const option* find_option(const std::string& section, const std::string& name);
/// Finds an option by "section.name".
const option* find_option(const std::string& key);

/// What the option accepts, for error messages and help: "an integer from 1 to
/// 10", "one of \"a\", \"b\"".
std::string expectation(const option& item);

/// Whether the value has the option's kind and is in its range. Integers are
/// accepted as numbers.
bool accepts(const option& item, const option_value& value);

} // namespace brewery
