#include "messages/insight_store.hpp"

#include "base/hash.hpp"

#include <algorithm>

namespace brewery {

std::size_t insight_store::list_hash::operator()(const text_list& list) const {
  std::uint64_t out = list.size();
  for (const auto& text : list)
    out = hash64(text, out);
  return out;
}

std::size_t insight_store::id_hash::operator()(const insight_id& id) const {
  return std::hash<std::string>{}(id.value);
}

std::size_t
insight_store::id_hash::operator()(const shared_value<insight>& item) const {
  return (*this)(item->id);
}

const insight_store::text_list& insight_store::shared(const text_list& list) {
  if (list.empty()) return list;
  const auto [seen, first] = seen_.try_emplace(&list.items());
  if (first) seen->second = lists_.try_emplace(list, list).first->second;
  return seen->second;
}

/// Once the lists of `item` are ours, equal ones are the same.
bool insight_store::is_equal(const insight& known, const insight& item) {
  const auto same = [this](const text_list& ours, const text_list& given) {
    return &ours.items() == &shared(given).items() || ours == given;
  };
  const auto &a = known.fact, &b = item.fact;
  return known.sentence == item.sentence && known.topic == item.topic
         && known.steps == item.steps && a.kind == b.kind
         && a.observation == b.observation && a.check == b.check
         && a.met == b.met && same(a.before, b.before) && same(a.after, b.after)
         && same(a.actions, b.actions) && same(a.quiet, b.quiet)
         && same(a.context, b.context);
}

shared_value<insight> insight_store::shared(const shared_value<insight>& item) {
  // An id that a worker gave may lie, so equal content is what counts.
  const auto known = insights_.find(item->id);
  if (known != insights_.end()) return is_equal(**known, *item) ? *known : item;
  auto kept = *item;
  for (auto* list : lists_of(kept.fact))
    *list = shared(*list);
  return *insights_.emplace(std::move(kept)).first;
}

job_result insight_store::shared(job_result answer) {
  auto* rollout = std::get_if<rollout_result>(&answer.output);
  if (!rollout || rollout->insights.empty()) return answer;
  std::vector<shared_value<insight>> out;
  out.reserve(rollout->insights.size());
  for (const auto& item : rollout->insights)
    out.push_back(shared(item));
  seen_.clear(); // before the lists that it knows by address
  rollout->insights = std::move(out);
  if (insights_.size() >= sweep_at_) sweep();
  return answer;
}

void insight_store::sweep() {
  std::erase_if(insights_, [](const auto& item) { return item.alone(); });
  std::erase_if(lists_,
                [](const auto& entry) { return entry.second.held_by() <= 2; });
  // So that a sweep costs little for each insight that was added.
  sweep_at_ = std::max<std::size_t>(4096, 2 * insights_.size());
}

} // namespace brewery
