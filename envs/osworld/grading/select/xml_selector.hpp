#pragma once
/// Selects elements of XML by the part of CSS and of XPath that rules about
/// accessibility trees use; what a selector means is what lxml with cssselect
/// gives. Anything else is refused when it is read, so that a task with it is
/// graded by the official evaluators. Immutable and thread-safe.
///
///   CSS:    a[name=To]~[attr|class="pill"]>b[name*="x"], c
///           with [x], =, *=, ^=, $=, and the combinators ' ', '>', '~', '+'
///   XPath:  //a[@name='x']//*[contains(text(), 'y') or contains(@ns:b, 'y')]
///           with and, or, not(), =, !=, starts-with()
///
/// Cost: the number of elements times the size of the selector.

#include "base/result.hpp"
#include "envs/osworld/observation/xml_nodes.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::osworld {

/// URIs of namespaces by the prefixes that selectors use.
using xml_prefixes = std::map<std::string, std::string, std::less<>>;

/// What an element must be like.
struct xml_condition {
  enum class kind : std::uint8_t {
    all,         ///< of `parts`
    any,         ///< of `parts`
    none,        ///< of `parts`
    exists,      ///< the attribute
    equal,       ///< the attribute is there and is `value`
    differs,     ///< the attribute is there and is not `value`
    contains,    ///< `value`; what is missing is ""
    starts_with, ///< `value`
    ends_with,   ///< `value`
  };
  kind is = kind::all;
  bool of_text = false;        ///< the element's text, not an attribute
  std::string space{}, name{}; ///< of the attribute
  std::string value{};
  std::vector<xml_condition> parts{};
};

/// One step from elements to others.
struct xml_step {
  enum class axis : std::uint8_t { descendant, child, later_sibling, next };
  axis along = axis::descendant;
  std::string tag; ///< empty: any
  xml_condition where;
};

class xml_selector {
public:
  /// Error ec::malformed: not of the part above, or a prefix is unknown.
  static result<xml_selector> from_css(std::string_view text,
                                       const xml_prefixes& prefixes);
  static result<xml_selector> from_xpath(std::string_view text,
                                         const xml_prefixes& prefixes);

  /// Indices of `nodes`, in document order.
  [[nodiscard]] std::vector<std::size_t>
  select(const std::vector<xml_node>& nodes) const;

private:
  using path = std::vector<xml_step>;
  explicit xml_selector(std::vector<path> paths) : paths_(std::move(paths)) {}

  std::vector<path> paths_; ///< an element is selected by any of them
};

} // namespace brewery::osworld
