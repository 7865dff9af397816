#include "roles/procedural/induction/outcome_counts.hpp"

#include "roles/procedural/procedural_reflector.hpp"

#include <algorithm>

namespace brewery {

namespace {

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Behind the last one for a line that is not there.
std::uint32_t place_of(const std::vector<std::uint32_t>& sorted,
                       std::uint32_t line) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), line);
  return static_cast<std::uint32_t>(
      (at != sorted.end() && *at == line ? at : sorted.end()) - sorted.begin());
}

} // namespace

outcome_counts::outcome_counts(const observation_evidence& observation) {
  place(observation);
  const auto whole = by_check_.find(whole_task_check);
  if (whole == by_check_.end()) return;
  for (const auto& [row, lines, tasks] : whole->second)
    for (const auto call : row->quiet)
      for (const auto line : row->lines) {
        auto& counted = with_call_[pair_key(line, call)];
        (row->met ? counted.met : counted.unmet) += row->count;
      }
}

void outcome_counts::place(const observation_evidence& observation) {
  for (const auto& row : observation.outcomes)
    lines_.insert(lines_.end(), row.lines.begin(), row.lines.end());
  sort_unique(lines_);
  std::unordered_map<task_number, std::uint32_t> tasks;
  for (const auto& row : observation.outcomes) {
    auto& placed = by_check_[row.check].emplace_back(placed_row{&row, {}, {}});
    for (const auto line : row.lines)
      placed.lines.push_back(place_of(lines_, line));
    for (const auto& [task, count] : row.tasks)
      placed.tasks.emplace_back(
          tasks.try_emplace(task, static_cast<std::uint32_t>(tasks.size()))
              .first->second,
          count);
  }
  tasks_ = tasks.size();
}

bool outcome_counts::matches(const setting& where, const outcome_row& row) {
  switch (where.what) {
  case setting::kind::any:
    return true;
  case setting::kind::clause:
    return holds(row.contexts, where.number);
  case setting::kind::line:
    return holds(row.lines, where.number);
  }
  return false;
}

outcome_counts::group
outcome_counts::counted(const std::vector<placed_row>& rows,
                        const setting& where) const {
  group out;
  for (const auto& [row, lines, tasks] : rows)
    if (matches(where, *row))
      out.lines.insert(out.lines.end(), lines.begin(), lines.end());
  sort_unique(out.lines);
  std::vector<pair_count> all(tasks_), shown((out.lines.size() + 1) * tasks_);
  for (const auto& [row, places, tasks] : rows) {
    if (!matches(where, *row)) continue;
    std::vector<std::uint32_t> lines;
    for (const auto place : places)
      lines.push_back(place_of(out.lines, place));
    const auto outcome = row->met ? &pair_count::met : &pair_count::unmet;
    for (const auto& [task, count] : tasks) {
      all[task].*outcome += count;
      for (const auto line : lines)
        shown[line * tasks_ + task].*outcome += count;
    }
  }
  const auto sum = [&](std::size_t line, bool absent) {
    tally made;
    for (std::size_t task = 0; task < tasks_; ++task) {
      const auto& of = all[task];
      auto here = shown[line * tasks_ + task];
      if (absent) here = {of.met - here.met, of.unmet - here.unmet};
      if (of.unmet == 0) {
        made.given += here.met;
        continue;
      }
      made.met += of.met;
      made.unmet += of.unmet;
      made.met_line += here.met;
      made.unmet_line += here.unmet;
    }
    return made;
  };
  for (std::size_t line = 0; line <= out.lines.size(); ++line) {
    out.shown.push_back(sum(line, false));
    out.absent.push_back(sum(line, true));
  }
  return out;
}

const outcome_counts::group*
outcome_counts::group_of(std::string_view check, const setting& where) const {
  const auto rows = by_check_.find(check);
  if (rows == by_check_.end()) return nullptr;
  auto& known = groups_[rows->first];
  const group_key key{where.what, where.number};
  auto it = known.find(key);
  if (it == known.end())
    it = known.emplace(key, counted(rows->second, where)).first;
  return &it->second;
}

tally outcome_counts::of(std::string_view check, const setting& where,
                         line_number line) const {
  const auto* found = group_of(check, where);
  if (found == nullptr) return {};
  const auto& tallies = is_absence(line) ? found->absent : found->shown;
  return tallies[place_of(found->lines, place_of(lines_, line & ~absence_bit))];
}

need_tally outcome_counts::need_of(line_number line, line_number call) const {
  const auto all = of(whole_task_check, {}, line);
  need_tally out{0, all.met_line + all.given, 0, all.unmet_line};
  const auto with = with_call_.find(pair_key(line, call));
  if (with == with_call_.end()) return out;
  out.met_with = with->second.met;
  out.unmet_with = with->second.unmet;
  out.met_without -= out.met_with;
  out.unmet_without -= out.unmet_with;
  return out;
}

} // namespace brewery
