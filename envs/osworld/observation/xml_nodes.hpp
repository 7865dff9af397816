#pragma once
/// Reads XML into a flat list of its elements, for accessibility trees. With
/// namespaces and entities, without DTDs: a document with one is refused. The
/// guest made the text, so its size and the number of elements are limited.
/// Pure.

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery::osworld {

struct xml_attribute {
  std::string space; ///< URI of its namespace; empty: none
  std::string name;
  std::string value;
};

struct xml_node {
  std::string tag; ///< without prefix
  std::vector<xml_attribute> attributes;
  std::string text;      ///< before its first child
  std::size_t depth = 0; ///< 0: the root

  /// Its value; null if it has no such attribute.
  [[nodiscard]] const std::string* find(std::string_view space,
                                        std::string_view name) const;
};

inline constexpr std::size_t xml_bytes_most = std::size_t{64} << 20;
inline constexpr std::size_t xml_nodes_most = 1'000'000;

/// The elements in document order. Error ec::malformed names the byte.
result<std::vector<xml_node>> read_xml(std::string_view text);

} // namespace brewery::osworld
