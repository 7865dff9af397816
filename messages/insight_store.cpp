#include "messages/insight_store.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

namespace brewery {

namespace {

/// Never leaves the process, so the library's hash will do.
void mix(std::uint64_t& sum, std::uint64_t more) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  sum = (sum ^ more) * odd;
  sum ^= sum >> 32U;
}

void mix(std::uint64_t& sum, std::string_view text) {
  mix(sum, std::hash<std::string_view>{}(text));
}

} // namespace

std::size_t insight_store::list_hash::operator()(const text_list& list) const {
  std::uint64_t out = list.size();
  for (const auto& text : list)
    mix(out, text);
  return out;
}

const insight_store::seen_list& insight_store::seen(const text_list& list) {
  const auto [known, first] = seen_.try_emplace(&list.items());
  if (first) {
    known->second.ours =
        list.empty() ? list : lists_.try_emplace(list, list).first->second;
    known->second.content = list_hash{}(list);
  }
  return known->second;
}

insight_store::fingerprint insight_store::fingerprint_of(const insight& item) {
  const auto& fact = item.fact;
  fingerprint out = fact.met ? 1 : 0;
  for (const auto* text : {&item.id.value, &item.topic, &item.sentence,
                           &fact.kind, &fact.observation, &fact.check})
    mix(out, *text);
  for (const auto* list : lists_of(fact))
    mix(out, seen(*list).content);
  for (const auto step : item.steps)
    mix(out, step);
  return out;
}

/// An id that a worker gave may lie, so all of the content counts.
shared_value<insight> insight_store::shared(const shared_value<insight>& item) {
  const auto [known, first] = insights_.try_emplace(fingerprint_of(*item));
  if (first) {
    auto kept = *item;
    for (auto* list : lists_of(kept.fact))
      *list = seen(*list).ours;
    known->second = std::move(kept);
  }
  return known->second;
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
  std::erase_if(insights_,
                [](const auto& entry) { return entry.second.alone(); });
  std::erase_if(lists_,
                [](const auto& entry) { return entry.second.held_by() <= 2; });
  // So that a sweep costs little for each insight that was added.
  sweep_at_ = std::max<std::size_t>(4096, 2 * insights_.size());
}

} // namespace brewery
