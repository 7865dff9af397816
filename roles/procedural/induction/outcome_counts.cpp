#include "roles/procedural/induction/outcome_counts.hpp"

#include "roles/procedural/procedural_reflector.hpp"

namespace brewery {

outcome_counts::outcome_counts(const observation_evidence& observation) {
  for (const auto& row : observation.outcomes)
    by_check_[row.check].push_back(&row);
  const auto whole = by_check_.find(whole_task_check);
  if (whole == by_check_.end()) return;
  for (const auto* row : whole->second)
    for (const auto call : row->quiet)
      for (const auto line : row->lines) {
        auto& counted = with_call_[pair_key(line, call)];
        (row->met ? counted.met : counted.unmet) += row->count;
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

void outcome_counts::add(by_task& to, const outcome_row& row) {
  for (const auto& [task, count] : row.tasks) {
    auto& counted = to[task];
    (row.met ? counted.met : counted.unmet) += count;
  }
}

const outcome_counts::group*
outcome_counts::group_of(std::string_view check, const setting& where) const {
  const auto rows = by_check_.find(check);
  if (rows == by_check_.end()) return nullptr;
  const auto [it, added] =
      groups_[rows->first].try_emplace({where.what, where.number});
  auto& counted = it->second;
  if (added)
    for (const auto* row : rows->second) {
      if (!matches(where, *row)) continue;
      add(counted.all, *row);
      for (const auto shown : row->lines)
        add(counted.by_line[shown], *row);
    }
  return &counted;
}

tally outcome_counts::of(std::string_view check, const setting& where,
                         line_number line) const {
  const auto* counted = group_of(check, where);
  if (counted == nullptr) return {};
  static const by_task nowhere;
  const auto found = counted->by_line.find(line & ~absence_bit);
  const auto& shown = found == counted->by_line.end() ? nowhere : found->second;
  tally out;
  for (const auto& [task, all] : counted->all) {
    pair_count here;
    if (const auto at = shown.find(task); at != shown.end()) here = at->second;
    if (is_absence(line)) here = {all.met - here.met, all.unmet - here.unmet};
    if (all.unmet == 0) {
      out.given += here.met;
      continue;
    }
    out.met += all.met;
    out.unmet += all.unmet;
    out.met_line += here.met;
    out.unmet_line += here.unmet;
  }
  return out;
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
