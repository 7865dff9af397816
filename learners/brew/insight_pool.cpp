#include "learners/brew/insight_pool.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace brewery {

namespace {

std::uint64_t key_after(std::uint64_t key) {
  return key + 1 == 0 ? 1 : key + 1;
}

/// Any but 0. It never leaves the process, so the library's hash will do.
std::uint64_t key_of_id(const insight_id& id) {
  return key_after(std::hash<std::string_view>{}(id.value));
}

} // namespace

bool insight_pool::insert(rollout_numbers& sorted, std::uint32_t number) {
  if (sorted.empty() || sorted.back() < number) {
    sorted.push_back(number);
    return true;
  }
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), number);
  if (at != sorted.end() && *at == number) return false;
  sorted.insert(at, number);
  return true;
}

std::uint32_t insight_pool::place_of(const insight_source& from) {
  // The insights of a rollout come one after the other.
  if (!sources_.empty() && sources_.back().rollout == from.rollout)
    return static_cast<std::uint32_t>(sources_.size() - 1);
  const auto [it, added] = numbers_.try_emplace(
      from.rollout, static_cast<std::uint32_t>(sources_.size()));
  if (added) sources_.push_back(from);
  return it->second;
}

std::uint32_t insight_pool::place_of(const shared_value<insight>& item) {
  const auto place = reinterpret_cast<std::uintptr_t>(&item.get());
  if (const auto* number = places_.find(place)) return *number;
  auto key = key_of_id(item->id);
  for (;; key = key_after(key)) {
    const auto [number, first] = known_.try_emplace(key);
    if (!first && entries_[*number].item->id != item->id) continue;
    if (!first) return *number;
    const auto next = *number = static_cast<std::uint32_t>(entries_.size());
    *places_.try_emplace(place).first = next;
    entries_.push_back({item, {}});
    if (is_sentence(*item)) sentences_.push_back(next);
    return next;
  }
}

std::optional<std::uint32_t> insight_pool::find(const insight_id& id) const {
  for (auto key = key_of_id(id);; key = key_after(key)) {
    const auto* number = known_.find(key);
    if (!number) return std::nullopt;
    if (entries_[*number].item->id == id) return *number;
  }
}

void insight_pool::add(const shared_value<insight>& item,
                       const insight_source& from) {
  const auto place = place_of(item);
  add(place, place_of(from));
}

void insight_pool::add(std::uint32_t item, std::uint32_t rollout) {
  if (!insert(entries_[item].rollouts, rollout)) return;
  made_.push_back(item);
  made_.push_back(rollout);
}

void insight_pool::add(const insight_pool& other) {
  for (const auto& pooled : other.entries_)
    for (const auto number : pooled.rollouts)
      add(pooled.item, other.sources_[number]);
}

void insight_pool::order_by_id(std::vector<std::uint32_t>& numbers) const {
  std::sort(numbers.begin(), numbers.end(), [this](auto a, auto b) {
    return entries_[a].item->id < entries_[b].item->id;
  });
}

insight_pool::naming insight_pool::names() const {
  naming out;
  out.ids.reserve(sources_.size());
  std::map<task_id, std::uint32_t> tasks;
  for (const auto& from : sources_) {
    out.ids.emplace_back(from.rollout);
    tasks.try_emplace(from.task);
  }
  for (auto& [task, place] : tasks) {
    place = static_cast<std::uint32_t>(out.tasks.size());
    out.tasks.emplace_back(task);
  }
  for (const auto& from : sources_)
    out.task_of.push_back(tasks.at(from.task));
  out.ranks.resize(sources_.size());
  std::uint32_t rank = 0;
  for (const auto& [rollout, number] : numbers_)
    out.ranks[number] = rank++;
  return out;
}

counted_insight insight_pool::count(const shared_value<insight>& item,
                                    rollout_numbers& rollouts, const naming& by,
                                    std::optional<std::uint32_t> parent) const {
  std::sort(rollouts.begin(), rollouts.end(),
            [&](auto a, auto b) { return by.ranks[a] < by.ranks[b]; });
  counted_insight out;
  out.item = item;
  out.count = static_cast<std::uint32_t>(rollouts.size());
  out.fresh = parent.has_value();
  double reward = 0;
  out.rollouts.reserve(rollouts.size());
  for (const auto number : rollouts) {
    const auto& from = sources_[number];
    out.rollouts.push_back(by.ids[number]);
    out.succeeded += from.reward >= 1;
    out.fresh = out.fresh && from.iteration > *parent;
    reward += from.reward;
  }
  if (out.count > 0) out.reward = reward / out.count;
  std::sort(rollouts.begin(), rollouts.end(),
            [&](auto a, auto b) { return by.task_of[a] < by.task_of[b]; });
  for (std::size_t i = 0; i < rollouts.size(); ++i) {
    const auto task = by.task_of[rollouts[i]];
    if (i == 0 || by.task_of[rollouts[i - 1]] != task)
      out.tasks.push_back({by.tasks[task], 0});
    ++out.tasks.back().count;
  }
  return out;
}

std::vector<counted_insight>
insight_pool::list(const insight_groups& groups,
                   std::optional<std::uint32_t> parent) const {
  // What the leaders of groups have beside their own.
  std::map<std::string_view, rollout_numbers> joined;
  for (const auto& [id, leader] : groups)
    if (const auto known = find(id))
      for (const auto number : entries_[*known].rollouts)
        insert(joined[leader.value], number);
  const auto by = names();
  std::vector<counted_insight> out;
  out.reserve(entries_.size());
  std::vector<std::uint32_t> ordered(entries_.size());
  std::iota(ordered.begin(), ordered.end(), 0U);
  order_by_id(ordered);
  rollout_numbers rollouts; // one place for all
  for (const auto place : ordered) {
    const auto& pooled = entries_[place];
    const auto& id = pooled.item->id;
    if (!groups.empty() && groups.contains(id)) continue;
    rollouts = pooled.rollouts;
    if (const auto more = joined.find(id.value); more != joined.end())
      for (const auto number : more->second)
        insert(rollouts, number);
    out.push_back(count(pooled.item, rollouts, by, parent));
  }
  return out;
}

std::vector<counted_insight>
insight_pool::list_only(const std::set<insight_id>& ids) const {
  const auto by = names();
  std::vector<counted_insight> out;
  for (const auto& id : ids)
    if (const auto place = find(id)) {
      auto rollouts = entries_[*place].rollouts;
      out.push_back(count(entries_[*place].item, rollouts, by, {}));
    }
  return out;
}

std::vector<counted_insight> insight_pool::sentences() const {
  if (sentences_.empty()) return {};
  const auto by = names();
  auto ordered = sentences_;
  order_by_id(ordered);
  std::vector<counted_insight> out;
  for (const auto place : ordered) {
    auto rollouts = entries_[place].rollouts;
    out.push_back(count(entries_[place].item, rollouts, by, {}));
  }
  return out;
}

std::vector<counted_insight>
for_integration(std::vector<counted_insight> insights) {
  for (auto& counted : insights)
    if (is_sentence(counted)) {
      counted.tasks.clear();
      counted.rollouts.clear();
    }
  return insights;
}

} // namespace brewery
