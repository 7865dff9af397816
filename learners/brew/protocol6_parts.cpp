#include "learners/brew/protocol6_parts.hpp"

#include "messages/wire/codec.hpp"

#include <algorithm>

namespace brewery {

result<pool_growth> growth_of_protocol6(std::string_view encoded) {
  auto old = wire::decode<protocol6_growth>(encoded);
  if (!old) return old.error();
  const std::vector<insight_fact::text_list> lists{old->lists.begin(),
                                                   old->lists.end()};
  std::vector<insight> insights;
  insights.reserve(old->insights.size());
  for (auto& one : old->insights) {
    auto& item = insights.emplace_back();
    auto into = lists_of(item.fact);
    if (one.lists.size() != into.size()
        || std::any_of(one.lists.begin(), one.lists.end(),
                       [&](auto at) { return at >= lists.size(); }))
      return error{ec::corrupt, "a pool of insights contradicts itself"};
    item.id = {std::move(one.id)};
    item.topic = std::move(one.topic);
    item.sentence = std::move(one.sentence);
    item.fact.kind = std::move(one.kind);
    item.fact.observation = std::move(one.observation);
    item.fact.check = std::move(one.check);
    item.fact.met = one.met;
    item.steps = std::move(one.steps);
    for (std::size_t i = 0; i < into.size(); ++i)
      *into[i] = lists[one.lists[i]];
  }
  std::vector<const insight*> items;
  for (const auto& item : insights)
    items.push_back(&item);
  return pool_growth{std::move(old->rollouts), pack_items(items),
                     std::move(old->made)};
}

} // namespace brewery
