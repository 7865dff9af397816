#include "roles/outcome_counts.hpp"

#include "roles/procedural_reflector.hpp"

namespace brewery {

outcome_counts::outcome_counts(const look_evidence& look) {
  for (const auto& row : look.outcomes)
    by_check_[row.check].push_back(&row);
  const auto whole = by_check_.find(whole_task_check);
  if (whole == by_check_.end()) return;
  for (const auto* row : whole->second)
    for (const auto call : row->quiet)
      for (const auto line : row->lines)
        with_call_[pair_key(line, call)].add(*row);
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

tally outcome_counts::of(std::string_view check, const setting& where,
                         line_number line) const {
  const auto rows = by_check_.find(check);
  if (rows == by_check_.end()) return {};
  const auto [it, added] =
      groups_[rows->first].try_emplace({where.what, where.number});
  auto& counted = it->second;
  if (added)
    for (const auto* row : rows->second) {
      if (!matches(where, *row)) continue;
      counted.all.add(*row);
      for (const auto shown : row->lines)
        counted.by_line[shown].add(*row);
    }
  tally out{counted.all.met, counted.all.unmet, 0, 0};
  const auto at = counted.by_line.find(line & ~absence_bit);
  if (at != counted.by_line.end()) {
    out.met_line = at->second.met;
    out.unmet_line = at->second.unmet;
  }
  if (is_absence(line)) {
    out.met_line = out.met - out.met_line;
    out.unmet_line = out.unmet - out.unmet_line;
  }
  return out;
}

need_tally outcome_counts::need_of(line_number line, line_number call) const {
  const auto all = of(whole_task_check, {}, line);
  need_tally out{0, all.met_line, 0, all.unmet_line};
  const auto with = with_call_.find(pair_key(line, call));
  if (with == with_call_.end()) return out;
  out.met_with = with->second.met;
  out.unmet_with = with->second.unmet;
  out.met_without -= out.met_with;
  out.unmet_without -= out.unmet_with;
  return out;
}

} // namespace brewery
