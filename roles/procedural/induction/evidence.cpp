#include "roles/procedural/induction/evidence.hpp"

#include "roles/procedural/status_lines.hpp"

#include <algorithm>
#include <map>

namespace brewery {

bool holds(const std::vector<line_number>& sorted, line_number value) {
  return std::binary_search(sorted.begin(), sorted.end(), value & ~absence_bit)
         != is_absence(value);
}

evidence_table::evidence_table(const std::vector<counted_insight>& insights) {
  std::map<std::string, std::size_t> positions;
  for (const auto& counted : insights) {
    const auto& fact = counted.item->fact;
    const auto [it, added] =
        positions.try_emplace(fact.observation, observations_.size());
    if (added) observations_.push_back({fact.observation, {}, {}});
    auto& observation = observations_[it->second];
    auto rollouts = rollouts_of(counted);
    if (fact.kind == "outcome") {
      for (const auto rollout : rollouts)
        grades_[fact.check].try_emplace(rollout, fact.met);
      observation.outcomes.push_back(
          {intern(fact.after, part::sorted_states),
           intern(fact.context, part::sorted), intern(fact.quiet, part::sorted),
           fact.check, fact.met, counted.count, tasks_of(counted),
           std::move(rollouts), counted.item->id});
    } else if (fact.kind == "effect") {
      observation.effects.push_back(
          {intern(fact.before, part::sorted_states),
           intern(fact.after, part::sorted_states),
           intern(fact.actions, part::all), intern(fact.quiet, part::all),
           counted.count, std::move(rollouts), counted.item->id});
    }
  }
  std::sort(observations_.begin(), observations_.end(),
            [](const auto& a, const auto& b) {
              return a.observation < b.observation;
            });
}

std::vector<std::pair<task_number, std::uint32_t>>
evidence_table::tasks_of(const counted_insight& counted) {
  std::vector<std::pair<task_number, std::uint32_t>> out;
  for (const auto& [task, count] : counted.tasks)
    out.emplace_back(
        tasks_.try_emplace(task->value, static_cast<task_number>(tasks_.size()))
            .first->second,
        count);
  return out;
}

std::vector<rollout_number>
evidence_table::rollouts_of(const counted_insight& counted) {
  std::vector<rollout_number> out;
  out.reserve(counted.rollouts.size());
  for (const auto& rollout : counted.rollouts)
    out.push_back(rollouts_
                      .try_emplace(rollout->value, static_cast<rollout_number>(
                                                       rollouts_.size()))
                      .first->second);
  return out;
}

std::optional<bool> evidence_table::met(rollout_number rollout,
                                        std::string_view check) const {
  const auto graded = grades_.find(check);
  if (graded == grades_.end()) return std::nullopt;
  const auto it = graded->second.find(rollout);
  if (it == graded->second.end()) return std::nullopt;
  return it->second;
}

line_number evidence_table::intern(const std::string& text) {
  const auto it = numbers_.find(text);
  if (it != numbers_.end()) return it->second;
  const auto number = static_cast<line_number>(texts_.size());
  texts_.push_back(text);
  numbers_.emplace(text, number);
  return number;
}

const std::vector<line_number>&
evidence_table::intern(const insight_fact::text_list& list, part wanted) {
  const auto [it, fresh] = lists_.try_emplace({&list.items(), wanted});
  auto& out = it->second;
  if (!fresh) return out;
  for (const auto& text : list)
    if (wanted != part::sorted_states || is_state(text)) // can be a condition
      out.push_back(intern(text));
  if (wanted != part::all) std::sort(out.begin(), out.end());
  return out;
}

std::vector<line_number>
evidence_table::by_text(const std::set<line_number>& lines) const {
  std::vector<line_number> out{lines.begin(), lines.end()};
  std::sort(out.begin(), out.end(),
            [&](auto a, auto b) { return texts_[a] < texts_[b]; });
  return out;
}

std::vector<std::vector<line_number>>
evidence_table::changeable(const observation_evidence& observation) const {
  std::map<std::string_view, std::set<line_number>> groups;
  std::set<std::string_view> ambiguous;
  std::set<std::vector<line_number>> taken; // most rows repeat earlier lines
  const auto take = [&](const std::vector<line_number>& lines) {
    if (!taken.insert(lines).second) return;
    std::set<std::string_view> here;
    for (const auto number : lines) {
      const auto key = line_key(texts_[number]);
      groups[key].insert(number);
      if (!here.insert(key).second) ambiguous.insert(key);
    }
  };
  for (const auto& row : observation.outcomes)
    take(row.lines);
  for (const auto& row : observation.effects) {
    take(row.before);
    take(row.after);
  }
  std::vector<std::vector<line_number>> out;
  for (const auto& [key, members] : groups) {
    auto sorted = by_text(members);
    if (ambiguous.contains(key))
      for (const auto line : sorted)
        out.push_back({line, without(line)});
    else if (sorted.size() > 1)
      out.push_back(std::move(sorted));
  }
  return out;
}

} // namespace brewery
