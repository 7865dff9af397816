#include "messages/insight_store.hpp"

#include "messages/packed_reader.hpp"

#include <algorithm>

namespace brewery {

namespace {

content_sum sum_of_list(const insight_fact::text_list& texts) {
  content_sum out = texts.size();
  for (const auto& text : texts)
    mix(out, sum_of(text));
  return out;
}

/// The count of its copies lies before the value.
void prefetch_to_copy(const auto& shared) {
  __builtin_prefetch(&shared.get(), 1);
}

/// What is known lies anywhere in memory, so all of it is asked for before any
/// is used. True if all is known.
template <class T>
bool ask_for(const flat_map<T>& known, const std::vector<content_sum>& wanted) {
  for (const auto content : wanted)
    known.prefetch(content);
  bool all = true;
  for (const auto content : wanted)
    if (const auto* one = known.find(content))
      prefetch_to_copy(*one);
    else
      all = false;
  return all;
}

/// What only the map holds.
template <class T>
void forget(flat_map<T>& known) {
  known.erase_if([](const T& one) { prefetch_to_copy(one); },
                 [](const T& one) { return one.alone(); });
}

} // namespace

const insight_store::seen_list& insight_store::seen(const text_list& list) {
  const auto [known, first] = seen_.try_emplace(&list.items());
  if (first) {
    auto& out = known->second;
    out.content = sum_of_list(list);
    if (!list.empty())
      out.ours = lists_.try_emplace(out.content, list).first->second;
  }
  return known->second;
}

content_sum insight_store::content_of(const insight& item) {
  const auto& fact = item.fact;
  content_sum out = fact.met ? 1 : 0;
  mix(out, sum_of(item.id.value));
  for (const auto* text : texts_in(item))
    mix(out, sum_of(*text));
  for (const auto* list : lists_of(fact))
    mix(out, seen(*list).content);
  for (const auto step : item.steps)
    mix(out, step);
  return never_zero(out);
}

/// An id that a worker gave may lie, so all of the content counts.
shared_value<insight> insight_store::shared(const shared_value<insight>& item) {
  const auto [known, first] = insights_.try_emplace(content_of(*item));
  if (first) {
    auto kept = *item;
    for (auto* text : texts_in(kept))
      *text = ours(*text);
    for (auto* list : lists_of(kept.fact))
      *list = seen(*list).ours;
    *known = std::move(kept);
  }
  return *known;
}

/// Only what is new becomes an insight.
std::vector<shared_value<insight>>
insight_store::unpacked(const packed_rollout_insights& packed,
                        const packed_sums& sums) {
  if (!ask_for(insights_, sums.insights)) ask_for(texts_, sums.texts);
  std::vector<shared_value<insight>> out;
  out.reserve(sums.insights.size());
  packed_reader read{packed.texts, packed.lists, packed.numbers,
                     sizeof(insight), max_unpacked_rollout_bytes};
  packed_numbers numbers;
  used parts{std::vector<shared_text>(packed.texts.size()),
             std::vector<std::optional<text_list>>(packed.lists.size())};
  for (std::size_t i = 0; i < sums.insights.size(); ++i) {
    read.next(numbers);
    BREWERY_ASSERT(!read.failed());
    auto [known, first] = insights_.try_emplace(sums.insights[i]);
    if (first)
      *known = shared_value<insight>::made_by([&](insight& item) {
        item.id.value = packed.ids[i];
        make(item, packed, sums, numbers, parts);
      });
    out.push_back(*known);
  }
  return out;
}

void insight_store::make(insight& out, const packed_rollout_insights& packed,
                         const packed_sums& sums, const packed_numbers& numbers,
                         used& parts) {
  const auto* text = numbers.texts.begin();
  for (auto* one : texts_in(out)) {
    const auto at = *text++;
    auto& known = parts.texts[at];
    if (known.empty()) known = ours(packed.texts[at], sums.texts[at]);
    *one = known;
  }
  const auto* list = numbers.lists.begin();
  for (auto* one : lists_of(out.fact)) {
    const auto at = *list++;
    auto& known = parts.lists[at];
    if (!known) known = ours(packed, at, sums.lists[at]);
    *one = *known;
  }
  out.fact.met = numbers.met;
  out.steps = numbers.steps;
}

shared_text insight_store::ours(const shared_text& text) {
  if (text.empty()) return {};
  const auto [known, first] = texts_.try_emplace(sum_of(text));
  if (first) *known = text;
  return *known;
}

shared_text insight_store::ours(std::string_view text, content_sum content) {
  if (text.empty()) return {};
  const auto [known, first] = texts_.try_emplace(content);
  if (first) *known = text;
  return *known;
}

insight_store::text_list
insight_store::ours(const packed_rollout_insights& packed, std::size_t list,
                    content_sum content) {
  const auto& numbers = packed.lists[list];
  if (numbers.empty()) return {};
  const auto [known, first] = lists_.try_emplace(content);
  if (first) {
    std::vector<std::string> texts;
    texts.reserve(numbers.size());
    for (const auto at : numbers)
      texts.emplace_back(packed.texts[at]);
    known->second = std::move(texts);
  }
  return known->second;
}

std::vector<shared_value<insight>>
insight_store::shared(const rollout_insights& made) {
  if (const auto packed = made.packed()) return unpacked(*packed, made.sums());
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
  forget(insights_);
  forget(texts_);
  std::erase_if(lists_,
                [](const auto& entry) { return entry.second.held_by() <= 1; });
  // So that a sweep costs little for each insight that was added.
  sweep_at_ = std::max<std::size_t>(4096, 2 * insights_.size());
}

} // namespace brewery
