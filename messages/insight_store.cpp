#include "messages/insight_store.hpp"

#include "messages/packed_reader.hpp"

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

std::uint64_t hash_of(std::string_view text) {
  return std::hash<std::string_view>{}(text);
}

void mix(std::uint64_t& sum, std::string_view text) {
  mix(sum, hash_of(text));
}

/// Hashes of what packed insights name by number.
struct packed_hashes {
  explicit packed_hashes(const packed_rollout_insights& packed) {
    texts.reserve(packed.texts.size());
    for (const auto& text : packed.texts)
      texts.push_back(hash_of(text));
    lists.reserve(packed.lists.size());
    for (const auto& list : packed.lists) {
      auto& sum = lists.emplace_back(list.size());
      for (const auto at : list)
        mix(sum, texts[at]);
    }
  }

  std::vector<std::uint64_t> texts, lists; ///< by number
};

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
  mix(out, item.id.value);
  for (const auto* text : texts_in(item))
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

/// Only what is new becomes an insight: its members are known by number, and
/// each text and list is hashed once.
std::vector<shared_value<insight>>
insight_store::unpacked(const packed_rollout_insights& packed) {
  std::vector<shared_value<insight>> out;
  out.reserve(packed.ids.size());
  const packed_hashes hashes{packed};
  std::vector<std::optional<text_list>> lists(packed.lists.size());
  packed_reader read{packed.texts, packed.lists, packed.numbers,
                     sizeof(insight), max_unpacked_rollout_bytes};
  packed_numbers numbers;
  for (const auto& id : packed.ids) {
    read.next(numbers);
    if (read.failed()) return {}; // not checked before
    fingerprint content = numbers.met ? 1 : 0;
    mix(content, id.value);
    for (const auto at : numbers.texts)
      mix(content, hashes.texts[at]);
    for (const auto at : numbers.lists)
      mix(content, hashes.lists[at]);
    for (const auto step : numbers.steps)
      mix(content, step);
    auto [known, first] = insights_.try_emplace(content);
    if (first) known->second = made_of(packed, id, numbers, lists);
    out.push_back(known->second);
  }
  return out;
}

insight insight_store::made_of(const packed_rollout_insights& packed,
                               const insight_id& id,
                               const packed_numbers& numbers,
                               std::vector<std::optional<text_list>>& lists) {
  insight out;
  out.id = id;
  const auto* text = numbers.texts.begin();
  for (auto* one : texts_in(out))
    *one = packed.texts[*text++];
  const auto* list = numbers.lists.begin();
  for (auto* one : lists_of(out.fact)) {
    const auto at = *list++;
    if (!lists[at]) lists[at] = ours(packed, at);
    *one = *lists[at];
  }
  out.fact.met = numbers.met;
  out.steps = numbers.steps;
  return out;
}

insight_store::text_list
insight_store::ours(const packed_rollout_insights& packed, std::size_t list) {
  std::vector<std::string> texts;
  for (const auto at : packed.lists[list])
    texts.push_back(packed.texts[at]);
  text_list made{std::move(texts)};
  return made.empty() ? made : lists_.try_emplace(made, made).first->second;
}

std::vector<shared_value<insight>>
insight_store::shared(const rollout_insights& made) {
  if (const auto packed = made.packed()) return unpacked(*packed);
  std::vector<shared_value<insight>> out;
  out.reserve(made.size());
  for (const auto& item : made)
    out.push_back(shared(item));
  seen_.clear(); // before the lists that it knows by address
  return out;
}

job_result insight_store::shared(job_result answer) {
  auto* rollout = std::get_if<rollout_result>(&answer.output);
  if (!rollout || rollout->insights.empty()) return answer;
  rollout->insights = shared(rollout->insights);
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
