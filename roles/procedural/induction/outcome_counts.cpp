#include "roles/procedural/induction/outcome_counts.hpp"

#include "roles/procedural/procedural_reflector.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace brewery {

namespace {

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Behind the last one for a number that is not there.
std::uint32_t place_of(const std::vector<std::uint32_t>& sorted,
                       std::uint32_t number) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), number);
  return static_cast<std::uint32_t>(
      (at != sorted.end() && *at == number ? at : sorted.end())
      - sorted.begin());
}

} // namespace

outcome_counts::outcome_counts(const observation_evidence& observation) {
  const auto take = [](std::vector<line_number>& all, const auto& some) {
    all.insert(all.end(), some.begin(), some.end());
  };
  for (const auto& row : observation.outcomes) {
    take(lines_, row.lines);
    take(clauses_, row.contexts);
    if (row.check == whole_task_check) take(calls_, row.quiet);
  }
  for (auto* numbers : {&lines_, &clauses_, &calls_})
    sort_unique(*numbers);
  place_rows(observation);
  count_calls(observation);
}

/// Rows that differ in nothing that is counted here become one.
void outcome_counts::place_rows(const observation_evidence& observation) {
  using shown = std::pair<std::vector<line_number>, std::vector<line_number>>;
  std::map<std::string_view, std::map<shown, place>> known;
  std::unordered_map<task_number, place> tasks;
  for (const auto& row : observation.outcomes) {
    auto& to = by_check_[row.check];
    const auto [at, first] = known[row.check].try_emplace(
        {row.lines, row.contexts}, static_cast<place>(to.rows.size()));
    if (first) {
      auto& lines = to.rows.emplace_back().lines;
      to.by_setting.resize(1 + clauses_.size() + lines_.size());
      const auto put_into = [&to, row = at->second](std::size_t setting) {
        auto& rows = to.by_setting[setting];
        if (rows.empty() || rows.back() != row) rows.push_back(row);
      };
      put_into(0);
      for (const auto clause : row.contexts)
        put_into(1 + place_of(clauses_, clause));
      for (const auto line : row.lines) {
        lines.push_back(place_of(lines_, line));
        put_into(1 + clauses_.size() + lines.back());
      }
    }
    auto& into = to.rows[at->second].tasks;
    for (const auto& [task, count] : row.tasks) {
      const auto mine =
          tasks.try_emplace(task, static_cast<place>(tasks.size()))
              .first->second;
      auto same =
          std::find_if(into.begin(), into.end(),
                       [mine](const auto& one) { return one.task == mine; });
      if (same == into.end()) same = into.insert(same, {mine, {}});
      (row.met ? same->count.met : same->count.unmet) += count;
    }
  }
  tasks_ = tasks.size();
  for (auto& [check, rows] : by_check_)
    rows.groups = std::make_unique<lazy_group[]>(rows.by_setting.size());
}

void outcome_counts::count_calls(const observation_evidence& observation) {
  by_line_.resize(lines_.size());
  with_call_.resize(calls_.size() * lines_.size());
  for (const auto& row : observation.outcomes) {
    if (row.check != whole_task_check) continue;
    std::vector<place> lines;
    for (const auto line : row.lines)
      lines.push_back(place_of(lines_, line));
    const auto count = [&](pair_count& to) {
      (row.met ? to.met : to.unmet) += row.count;
    };
    for (const auto line : lines)
      count(by_line_[line]);
    for (const auto call : row.quiet) {
      auto* const to = &with_call_[place_of(calls_, call) * lines_.size()];
      for (const auto line : lines)
        count(to[line]);
    }
  }
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

std::optional<std::size_t>
outcome_counts::place_of_setting(const setting& where) const {
  if (where.what == setting::kind::any) return 0;
  const bool clause = where.what == setting::kind::clause;
  const auto& all = clause ? clauses_ : lines_;
  const std::size_t at = place_of(all, where.number);
  if (at == all.size()) return std::nullopt;
  return 1 + (clause ? 0 : clauses_.size()) + at;
}

outcome_counts::group
outcome_counts::counted(const checked_rows& rows,
                        const std::vector<place>& here) const {
  group out;
  std::vector<pair_count> of_task(tasks_);
  for (const auto at : here)
    for (const auto& [task, count] : rows.rows[at].tasks) {
      of_task[task].met += count.met;
      of_task[task].unmet += count.unmet;
    }
  std::vector<line_sum> sums(lines_.size());
  std::vector<char> seen(lines_.size());
  const auto add = [](line_sum& to, const line_sum& more) {
    to.met += more.met;
    to.unmet += more.unmet;
    to.given += more.given;
  };
  for (const auto at : here) {
    line_sum row;
    for (const auto& [task, count] : rows.rows[at].tasks)
      if (of_task[task].unmet == 0)
        row.given += count.met;
      else
        add(row, {count.met, count.unmet, 0});
    add(out.all, row);
    for (const auto line : rows.rows[at].lines) {
      add(sums[line], row);
      seen[line] = 1;
    }
  }
  for (place line = 0; line < seen.size(); ++line)
    if (seen[line] != 0) {
      out.lines.push_back(line);
      out.shown.push_back(sums[line]);
    }
  return out;
}

tally outcome_counts::of(std::string_view check, const setting& where,
                         line_number line) const {
  const auto rows = by_check_.find(check);
  const auto at = place_of_setting(where);
  if (rows == by_check_.end() || !at) return {};
  auto& lazy = rows->second.groups[*at];
  std::call_once(lazy.counted, [&] {
    lazy.made = counted(rows->second, rows->second.by_setting[*at]);
  });
  const auto& found = lazy.made;
  const auto mine =
      place_of(found.lines, place_of(lines_, line & ~absence_bit));
  auto shown = mine < found.shown.size() ? found.shown[mine] : line_sum{};
  const auto& all = found.all;
  if (is_absence(line))
    shown = {all.met - shown.met, all.unmet - shown.unmet,
             all.given - shown.given};
  return {all.met, all.unmet, shown.met, shown.unmet, shown.given};
}

need_tally outcome_counts::need_of(line_number line, line_number call) const {
  const auto at = place_of(lines_, line);
  if (at == lines_.size()) return {};
  const auto& all = by_line_[at];
  const auto mine = place_of(calls_, call);
  const auto with = mine == calls_.size()
                        ? pair_count{}
                        : with_call_[mine * lines_.size() + at];
  return {with.met, all.met - with.met, with.unmet, all.unmet - with.unmet};
}

} // namespace brewery
