#pragma once
/// Prints a configuration for people and for loading. All texts come from the
/// schema.

#include "config/config.hpp"

#include <map>
#include <string>

namespace brewery {

/// Complete TOML with comments. Loading it gives the same configuration if its
/// paths are absolute (as after loading).
std::string to_toml(const config& value);

/// The same, with the origin after each value.
std::string to_toml(const config& value,
                    const std::map<std::string, std::string>& origins);

/// One JSON object, section by section, on one line.
std::string to_json(const config& value);

/// Every option with its default, commented out: config/brewery.example.toml.
std::string example_toml();

/// Every option as Markdown tables: config/OPTIONS.md.
std::string options_markdown();

} // namespace brewery
