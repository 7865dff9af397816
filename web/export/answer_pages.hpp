#pragma once
/// The answers about a list, page by page, as an exported run has them.

#include "web/export/answer_files.hpp"
#include "web/paging.hpp"

#include <utility>

namespace brewery::web {

/// `take` gets every page of a list, with its key; `make` makes a page. One
/// that is not there is the error that the server would answer.
template <class Make, class Take>
result<void> each_page(answer_key key, Make make, Take take) {
  for (;;) {
    const result<json> made =
        make(page{.offset = key.offset, .limit = page_items_max});
    if (!made && made.error().code != ec::not_found) return made.error();
    const auto answer = made ? *made : json{{"error", made.error().message}};
    if (auto ok = take(key, answer); !ok) return ok;
    if (!made) return {};
    const auto& items = answer["items"];
    key.offset += items.size();
    if (items.empty() || key.offset >= answer["total"].get<std::size_t>())
      return {};
  }
}

template <class Item>
void each_item(const json& answer, const Item& item) {
  const auto items = answer.find("items");
  if (items == answer.end()) return;
  for (const auto& one : *items)
    item(one);
}

} // namespace brewery::web
