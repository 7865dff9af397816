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

void insight_store::share(text_list& list) {
  if (list.empty()) return;
  const auto* given = &list.items();
  // A rollout repeats its lists, and often has each once.
  for (const auto& [before, kept] : seen_)
    if (&before.items() == given) {
      list = kept;
      return;
    }
  auto kept = lists_.try_emplace(list, list).first->second;
  constexpr std::size_t remembered = 16;
  if (seen_.size() < remembered) seen_.emplace_back();
  seen_[newest_++ % remembered] = {list, kept};
  list = std::move(kept);
}

shared_value<insight> insight_store::shared(const shared_value<insight>& item) {
  // An id that a worker gave may lie, so equal content is what counts.
  const auto known = insights_.find(item->id);
  if (known != insights_.end()) return **known == *item ? *known : item;
  auto kept = *item;
  share(kept.fact.before);
  share(kept.fact.after);
  share(kept.fact.actions);
  share(kept.fact.quiet);
  share(kept.fact.context);
  return *insights_.emplace(std::move(kept)).first;
}

job_result insight_store::shared(job_result answer) {
  auto* rollout = std::get_if<rollout_result>(&answer.output);
  if (!rollout || rollout->insights.empty()) return answer;
  std::vector<shared_value<insight>> out;
  out.reserve(rollout->insights.size());
  for (const auto& item : rollout->insights)
    out.push_back(shared(item));
  rollout->insights = std::move(out);
  seen_.clear();
  newest_ = 0;
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
