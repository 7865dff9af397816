#pragma once
/// The parsed form of a JSON schema. Used only by json_schema.

#include "llm/format/json_schema.hpp"
#include "llm/format/json_text.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

struct json_schema::rule {
  std::vector<std::string> types;  ///< empty: any
  std::vector<sorted_json> values; ///< enum or const; empty: any
  std::map<std::string, rule> properties;
  std::vector<std::string> required;
  bool other_properties = true;
  std::vector<rule> items; ///< 0 or 1
  std::optional<std::uint64_t> items_least, items_most;
  std::optional<std::uint64_t> length_least, length_most; ///< code points
  std::optional<double> least, most;
};

} // namespace brewery
