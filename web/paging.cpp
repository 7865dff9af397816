#include "web/paging.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::web {

namespace {

/// Leaves room for what stands beside the items.
constexpr std::size_t items_bytes_max = std::size_t{640} * 1024;
constexpr std::size_t text_bytes_max = std::size_t{64} * 1024;
/// 2^53: beyond it, numbers in JavaScript are not exact.
constexpr std::size_t offset_max = std::size_t{1} << 53U;

} // namespace

result<std::size_t> number_of(const query_values& query,
                              const std::string& name, std::size_t fallback,
                              std::size_t least, std::size_t most) {
  const auto given = query.find(name);
  if (given == query.end()) return fallback;
  const auto value = whole_number<std::size_t>(given->second);
  if (value && *value >= least && *value <= most) return *value;
  return error{ec::invalid_argument, fmt::format("{} must be a number from {} "
                                                 "to {}",
                                                 name, least, most)};
}

result<page> page_of(const query_values& query) {
  page out;
  const auto offset = number_of(query, "offset", out.offset, 0, offset_max);
  if (!offset) return offset.error();
  const auto limit = number_of(query, "limit", out.limit, 1, page_items_max);
  if (!limit) return limit.error();
  return page{*offset, *limit};
}

void add_page(json& out, const page& asked, std::size_t total,
              const std::function<json(std::size_t)>& item) {
  auto items = json::array();
  const auto end = asked.offset + std::min(asked.limit, total);
  std::size_t bytes = 0;
  for (auto i = asked.offset; i < std::min(end, total); ++i) {
    auto next = item(i);
    auto size = to_text(next).size();
    if (size > items_bytes_max) {
      next = json{{"too_large", size}};
      size = 0;
    }
    bytes += size + 1;
    if (bytes > items_bytes_max && !items.empty()) break;
    items.push_back(std::move(next));
  }
  out["total"] = total;
  out["offset"] = asked.offset;
  out["items"] = std::move(items);
}

std::string shortened(std::string_view text) {
  if (text.size() <= text_bytes_max) return std::string{text};
  return std::string{utf8_prefix(text, text_bytes_max)}
         + fmt::format("\n[cut here: {} bytes in all]", text.size());
}

std::string to_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace brewery::web
