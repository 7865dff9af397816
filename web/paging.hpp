#pragma once
/// Lists in pages, so that no answer is larger than a megabyte. PURE.

#include "base/json.hpp"
#include "base/result.hpp"
#include "web/query.hpp"

#include <functional>
#include <string_view>

namespace brewery::web {

/// No answer is larger.
inline constexpr std::size_t answer_bytes_max = 1'048'576;

inline constexpr std::size_t page_items_max = 1000;

struct page {
  std::size_t offset = 0;
  std::size_t limit = 100; ///< 1 to `page_items_max`
};

/// The parameter of that name, or `fallback` if it is not given. Error
/// ec::invalid_argument: no number from `least` to `most`.
result<std::size_t> number_of(const query_values& query,
                              const std::string& name, std::size_t fallback,
                              std::size_t least, std::size_t most);

/// From the parameters `offset` and `limit`. Error ec::invalid_argument.
result<page> page_of(const query_values& query);

/// Adds `total`, `offset` and `items` to `out`: item `i` of the list for each
/// `i` of the page, fewer if they are large. The next page begins behind the
/// last item. An item too large for any page is {"too_large": its bytes}.
void add_page(json& out, const page& asked, std::size_t total,
              const std::function<json(std::size_t)>& item);

/// A text of at most 64 KiB; of a longer one the beginning, with a last line
/// that says how long it is.
std::string shortened(std::string_view text);

/// As sent. Bytes that are not UTF-8 become U+FFFD.
std::string to_text(const json& value);

} // namespace brewery::web
