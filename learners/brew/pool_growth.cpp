/// What came to a pool of insights, for snapshots.

#include "learners/brew/insight_pool.hpp"
#include "messages/insight_msgs.hpp"

#include <algorithm>
#include <unordered_map>

namespace brewery {

namespace {

/// A message holds at most a million values, an insight about twenty.
constexpr std::size_t insights_in_part = 20'000;
constexpr std::size_t pairs_in_part = 100'000;

/// Numbers lists within a part.
class list_table {
public:
  explicit list_table(std::vector<std::vector<std::string>>& lists)
      : lists_(lists) {}

  std::uint32_t number_of(const insight_fact::text_list& list) {
    const auto [known, first] = shared_.try_emplace(&list.items());
    if (!first) return known->second;
    const auto [it, added] = numbers_.try_emplace(
        list.items(), static_cast<std::uint32_t>(lists_.size()));
    if (added) lists_.push_back(list.items());
    return known->second = it->second;
  }

private:
  std::vector<std::vector<std::string>>& lists_;
  std::map<std::vector<std::string>, std::uint32_t> numbers_;
  std::unordered_map<const void*, std::uint32_t> shared_; ///< by their items
};

pooled_insight_view saved(const insight& item, list_table& table) {
  const auto& fact = item.fact;
  pooled_insight_view out{
      item.id.value,    item.topic, item.sentence, fact.kind,
      fact.observation, fact.check, fact.met,      {},
      item.steps};
  out.lists.reserve(lists_of(fact).size());
  for (const auto* list : lists_of(fact))
    out.lists.push_back(table.number_of(*list));
  return out;
}

} // namespace

void insight_pool::take_growth(
    const std::function<void(const pool_growth_view&)>& take) {
  pool_growth_view part;
  bool first = true;
  const auto begin_next = [&] {
    take(part);
    part = {};
    first = false;
  };
  part.rollouts.assign(sources_.begin()
                           + static_cast<std::ptrdiff_t>(sources_given_),
                       sources_.end());
  for (auto at = entries_given_; at < entries_.size(); at += insights_in_part) {
    if (at > entries_given_) begin_next();
    const auto end = std::min(entries_.size(), at + insights_in_part);
    list_table table{part.lists};
    part.insights.reserve(end - at);
    for (auto i = at; i < end; ++i)
      part.insights.push_back(saved(*entries_[i].item, table));
  }
  for (std::size_t at = 0; at < made_.size(); at += 2 * pairs_in_part) {
    if (at > 0 || !first) begin_next();
    const auto end = std::min(made_.size(), at + 2 * pairs_in_part);
    part.made.assign(made_.begin() + static_cast<std::ptrdiff_t>(at),
                     made_.begin() + static_cast<std::ptrdiff_t>(end));
  }
  take(part);
  sources_given_ = sources_.size();
  entries_given_ = entries_.size();
  made_ = {};
}

result<void> insight_pool::absorb(const pool_growth& growth) {
  const auto damaged =
      error{ec::corrupt, "a pool of insights contradicts itself"};
  std::vector<insight_fact::text_list> lists{growth.lists.begin(),
                                             growth.lists.end()};
  for (const auto& from : growth.rollouts)
    if (const auto next = sources_.size(); place_of(from) != next)
      return damaged;
  std::unordered_map<std::string_view, shared_text> texts;
  const auto shared = [&texts](const std::string& text) -> const shared_text& {
    auto& known = texts[text];
    if (known.empty()) known = text;
    return known;
  };
  for (const auto& one : growth.insights) {
    if (one.lists.size() != 5
        || *std::max_element(one.lists.begin(), one.lists.end())
               >= lists.size())
      return damaged;
    insight item{
        {one.id}, shared(one.topic), shared(one.sentence), {}, one.steps};
    item.fact = {
        shared(one.kind),    shared(one.observation), lists[one.lists[0]],
        lists[one.lists[1]], lists[one.lists[2]],     lists[one.lists[3]],
        lists[one.lists[4]], shared(one.check),       one.met};
    const auto next = entries_.size();
    if (place_of(std::move(item)) != next) return damaged;
  }
  if (growth.made.size() % 2 != 0) return damaged;
  for (std::size_t i = 0; i < growth.made.size(); i += 2) {
    const auto insight = growth.made[i], rollout = growth.made[i + 1];
    if (insight >= entries_.size() || rollout >= sources_.size())
      return damaged;
    insert(entries_[insight].rollouts, rollout);
  }
  sources_given_ = sources_.size();
  entries_given_ = entries_.size();
  return {};
}

} // namespace brewery
