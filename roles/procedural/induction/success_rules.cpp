#include "roles/procedural/induction/success_rules.hpp"

#include "roles/procedural/procedural_reflector.hpp"

#include <set>

namespace brewery {

namespace {

class success_induction {
public:
  success_induction(const evidence_table& table,
                    const observation_evidence& observation,
                    const outcome_counts& counts,
                    const induction_options& options)
      : table_(table), observation_(observation), counts_(counts),
        options_(options) {
    std::set<line_number> clauses, lines, quiet;
    for (const auto& row : observation.outcomes) {
      clauses.insert(row.contexts.begin(), row.contexts.end());
      lines.insert(row.lines.begin(), row.lines.end());
      quiet.insert(row.quiet.begin(), row.quiet.end());
    }
    clauses_ = table.by_text(clauses);
    lines_ = table.by_text(lines);
    quiet_ = table.by_text(quiet);
  }

  void add_needed_calls(induced& out) const {
    for (const auto call : quiet_)
      for (const auto line : lines_) {
        const auto n = counts_.need_of(line, call);
        const auto with = n.met_with + n.unmet_with;
        const auto all = with + n.met_without + n.unmet_without;
        if (n.met_without > 0 || n.met_with < options_.min_needed
            || n.unmet_without < 2)
          continue;
        // Require that nearly all rollouts with the call succeed.
        if (n.met_with < 0.8 * with) continue;
        // The chance that all successes had the call if it had no effect.
        const double share = static_cast<double>(with) / all;
        double chance = 1;
        for (std::uint32_t i = 0; i < n.met_with; ++i)
          chance *= share;
        if (chance > 0.15) continue;
        out.rules.push_back(need(line, call));
      }
  }

  void add_goals(induced& out) const {
    std::vector<setting> where{{setting::kind::any, 0}};
    for (const auto clause : clauses_)
      where.push_back({setting::kind::clause, clause});
    std::set<std::pair<line_number, std::uint32_t>> known;
    for (const auto& place : where)
      for (const auto line : lines_) {
        const auto t = counts_.of(whole_task_check, place, line);
        const auto shown = t.met_line + t.unmet_line;
        // Without enough failures with other lines, the line says nothing.
        if (t.met_line < options_.min_goal || t.unmet - t.unmet_line < 3)
          continue;
        if (t.met_line < options_.goal_precision * shown
            || t.met_line < options_.goal_precision * t.met)
          continue;
        // Clauses that occur together would repeat the same goal.
        if (!known.emplace(line, t.met_line).second) continue;
        induced_goal item;
        item.content.shows = {observation_.observation, table_.text(line)};
        if (place.what == setting::kind::clause)
          item.content.clauses.push_back(table_.text(place.number));
        count_goal(item, place, line);
        out.goals.push_back(std::move(item));
      }
  }

private:
  /// The rule that a call is needed under a line, with its evidence.
  induced_rule need(line_number line, line_number call) const {
    induced_rule item;
    item.content.when.push_back({observation_.observation, table_.text(line)});
    item.content.calls.push_back(table_.text(call));
    std::vector<rollout_number> with, without;
    for (const auto& row : observation_.outcomes) {
      if (row.check != whole_task_check || !holds(row.lines, line)) continue;
      auto& group = holds(row.quiet, call) ? with : without;
      group.insert(group.end(), row.rollouts.begin(), row.rollouts.end());
      item.sources.push_back(row.source);
    }
    item.proof = prove(table_, whole_task_check, with, without);
    return item;
  }

  /// All graded attempts in the setting count, also of tasks that never failed:
  /// the text says so many attempts.
  void count_goal(induced_goal& item, const setting& place,
                  line_number line) const {
    std::vector<rollout_number> with, without;
    for (const auto& row : observation_.outcomes) {
      if (row.check != whole_task_check || !outcome_counts::matches(place, row))
        continue;
      const bool shows = holds(row.lines, line);
      auto& group = shows ? with : without;
      group.insert(group.end(), row.rollouts.begin(), row.rollouts.end());
      if (shows) item.sources.push_back(row.source);
    }
    item.with = count_met(table_, with, whole_task_check);
    item.without = count_met(table_, without, whole_task_check);
  }

  const evidence_table& table_;
  const observation_evidence& observation_;
  const outcome_counts& counts_;
  const induction_options& options_;
  std::vector<line_number> clauses_, lines_, quiet_;
};

} // namespace

void add_success_rules(const evidence_table& table,
                       const observation_evidence& observation,
                       const outcome_counts& counts,
                       const induction_options& options, induced& out) {
  const success_induction found{table, observation, counts, options};
  found.add_needed_calls(out);
  found.add_goals(out);
}

} // namespace brewery
