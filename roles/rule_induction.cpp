#include "roles/rule_induction.hpp"

#include "roles/outcome_counts.hpp"
#include "roles/procedural_reflector.hpp"
#include "roles/transitions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace brewery {

namespace {

/// Testing many contexts finds some by chance: ask more of them.
constexpr double context_severity = 0.1;

/// That most tasks have the same fault is unlikely: ask more here, too.
constexpr double usual_severity = 0.1;

/// Fewer endings than this do not say what is usual.
constexpr std::uint32_t min_endings = 8;

/// Share of met rollouts from which a value counts as right.
constexpr double good_share = 0.2;
/// Contrast in the other checks from which a verdict holds for all tasks.
constexpr double general_contrast = 0.8;

constexpr double needed_share = 0.8;

/// Chance that no met rollout ends with the line if the line did not matter.
double absence_chance(const tally& t) {
  if (t.unmet == 0) return 1;
  return std::pow(1.0 - static_cast<double>(t.unmet_line) / t.unmet, t.met);
}

/// Collects the rules and goals of one look.
class look_induction {
public:
  look_induction(const evidence_table& table, const look_evidence& look,
                 const induction_options& options)
      : table_(table), look_(look), options_(options), counts_(look) {
    std::set<std::string_view> checks;
    std::set<line_number> clauses, lines, quiet;
    for (const auto& row : look.outcomes) {
      checks.insert(row.check);
      clauses.insert(row.contexts.begin(), row.contexts.end());
      lines.insert(row.lines.begin(), row.lines.end());
      quiet.insert(row.quiet.begin(), row.quiet.end());
    }
    // Successes of unlike tasks together make broken states look healthy, so a
    // remedy is judged by single checks where the grader has them.
    checks_.assign(checks.begin(), checks.end());
    if (checks_.size() > 1) std::erase(checks_, whole_task_check);
    clauses_ = by_text(clauses);
    lines_ = by_text(lines);
    quiet_ = by_text(quiet);
  }

  void run(induced& out) {
    for (const auto& values : table_.changeable(look_))
      add_remedies(values, out);
    add_needed_calls(out);
    add_goals(out);
  }

private:
  std::vector<line_number> by_text(const std::set<line_number>& numbers) const {
    std::vector<line_number> out{numbers.begin(), numbers.end()};
    std::sort(out.begin(), out.end(),
              [&](auto a, auto b) { return table_.text(a) < table_.text(b); });
    return out;
  }

  /// Settings in the order in which they are tried: the plainest first.
  std::vector<setting> settings(const std::vector<line_number>& values) const {
    std::vector<setting> out{{setting::kind::any, 0}};
    for (const auto clause : clauses_)
      out.push_back({setting::kind::clause, clause});
    for (const auto line : lines_)
      if (std::find(values.begin(), values.end(), line) == values.end())
        out.push_back({setting::kind::line, line});
    return out;
  }

  struct verdict {
    setting where;
    std::string_view check;
    double chance = 1;
  };

  /// Why `value` is bad, or nothing.
  std::optional<verdict> bad(line_number value,
                             const std::vector<setting>& where,
                             bool is_usual) const {
    std::optional<verdict> worst;
    for (const auto& place : where) {
      const bool plain = place.what == setting::kind::any;
      // A plain verdict needs no context.
      if (!plain && worst && worst->where.what == setting::kind::any) break;
      const double allowed = options_.max_chance
                             * (plain ? 1.0 : context_severity)
                             * (is_usual ? usual_severity : 1.0);
      for (const auto check : checks_) {
        const auto t = counts_.of(check, place, value);
        const double chance = absence_chance(t);
        if (t.met == 0 || t.met_line > 0 || t.unmet_line < 2 || chance > allowed
            || needed_elsewhere(value, place, check))
          continue;
        if (!worst || chance < worst->chance)
          worst = verdict{place, check, chance};
      }
    }
    return worst;
  }

  /// Nearly all rollouts that met some other check ended with the value: what
  /// is wrong for one check is then right for another, and not to be touched.
  bool needed_elsewhere(line_number value, const setting& where,
                        std::string_view check) const {
    return std::any_of(checks_.begin(), checks_.end(), [&](auto other) {
      if (other == check) return false;
      const auto t = counts_.of(other, where, value);
      return t.met >= 3 && t.met_line >= needed_share * t.met;
    });
  }

  /// Values that a fair share of met rollouts ended with in this setting.
  std::set<line_number> good(const std::vector<line_number>& values,
                             const verdict& why) const {
    std::set<line_number> out;
    for (const auto value : values) {
      const auto t = counts_.of(why.check, why.where, value);
      if (t.met_line > 0 && t.met_line >= good_share * t.met) out.insert(value);
    }
    return out;
  }

  /// Rollouts that ended with a value, of any grade.
  std::uint32_t endings(line_number value) const {
    const auto t = counts_.of(whole_task_check, {}, value);
    return t.met_line + t.unmet_line;
  }

  /// Rollouts that began with a value: what they did does not count here.
  std::uint32_t beginnings(line_number value) const {
    std::uint32_t out = 0;
    for (const auto& row : look_.outcomes)
      if (row.check == whole_task_check && !row.initial.empty()
          && holds(row.initial, value))
        out += row.count;
    return out;
  }

  /// How much better rollouts that ended with `a` were graded than those that
  /// ended with `b`, in standard errors, pooled over checks so that a check of
  /// few tasks cannot speak for all (Mantel and Haenszel, 1959).
  /// `except` leaves one check out.
  double contrast(line_number a, line_number b,
                  std::string_view except = {}) const {
    double gained = 0, variance = 0;
    for (const auto check : checks_) {
      if (check == except) continue;
      const auto ta = counts_.of(check, {}, a);
      const auto tb = counts_.of(check, {}, b);
      const double na = ta.met_line + ta.unmet_line;
      const double nb = tb.met_line + tb.unmet_line;
      const double n = na + nb;
      const double met = ta.met_line + tb.met_line;
      if (n < 2) continue;
      gained += ta.met_line - na * met / n;
      variance += na * nb * met * (n - met) / (n * n * (n - 1));
    }
    return variance > 0 ? gained / std::sqrt(variance) : 0;
  }

  /// Values that seem healthier than `value`: their rollouts fared better, or
  /// they are the usual ones and no worse.
  std::set<line_number>
  healthier(line_number value, const std::vector<line_number>& values) const {
    std::set<line_number> out;
    std::uint32_t all = 0, started = 0;
    for (const auto item : values) {
      all += endings(item);
      started += beginnings(item);
    }
    if (all < min_endings) return out;
    for (const auto other : values) {
      if (other == value) continue;
      if (endings(other) < options_.healthy_share * all) continue;
      const auto theirs = beginnings(other);
      const double z = contrast(other, value);
      const bool better = z >= options_.clear_contrast;
      const bool usual = theirs > beginnings(value)
                         && theirs >= options_.usual_share * started
                         && z > -0.5;
      if (better || usual) out.insert(other);
    }
    // Do not aim for what is itself clearly worse than something else.
    std::erase_if(out, [&](auto aim) {
      return std::any_of(values.begin(), values.end(), [&](auto other) {
        return other != aim && other != value
               && contrast(other, aim) >= options_.clear_contrast;
      });
    });
    return out;
  }

  void add_remedies(const std::vector<line_number>& values, induced& out) {
    const transitions ways{look_, values};
    const auto where = settings(values);
    std::uint32_t all = 0;
    for (const auto value : values)
      all += endings(value);
    std::map<line_number, verdict> verdicts;
    for (const auto value : values)
      if (const auto why = bad(value, where, endings(value) * 2 > all))
        verdicts.emplace(value, *why);
    for (const auto value : values) {
      if (is_absence(value)) continue; // nothing to recognise it by
      std::optional<verdict> why;
      if (const auto at = verdicts.find(value); at != verdicts.end())
        why = at->second;
      std::set<line_number> aims;
      if (why) {
        aims = good(values, *why);
        // One check's word against all others' is not enough.
        std::erase_if(aims,
                      [&](auto aim) { return contrast(aim, value) < 0.5; });
      } else {
        aims = healthier(value, values);
        std::erase_if(aims, [&](auto aim) { return verdicts.contains(aim); });
      }
      if (aims.empty()) continue;
      const bool suspected = !why;
      // What other checks say, too, needs no context.
      if (why && std::any_of(aims.begin(), aims.end(), [&](auto aim) {
            return contrast(aim, value, why->check) >= general_contrast;
          }))
        why->where = {};
      if (!why) why = verdict{{}, whole_task_check, 1};
      const auto remedies = ways.remedies(aims, options_.min_reliability);
      const auto found = remedies.find(value);
      if (found == remedies.end()) continue;
      const auto& step = found->second;
      induced_rule item;
      item.content.when.push_back({look_.look, table_.text(value)});
      if (why->where.what == setting::kind::line)
        item.content.when.push_back(
            {look_.look, table_.text(why->where.number)});
      if (why->where.what == setting::kind::clause)
        item.content.clauses.push_back(table_.text(why->where.number));
      for (const auto call : step.calls)
        item.content.calls.push_back(table_.text(call));
      if (!is_absence(step.to)) item.content.expect = table_.text(step.to);
      item.support = step.changed;
      item.suspected = suspected;
      item.sources = step.sources;
      add_outcome_sources(value, why->check, item.sources);
      out.rules.push_back(std::move(item));
    }
  }

  /// The missed rollouts that made the value look bad.
  void add_outcome_sources(line_number value, std::string_view check,
                           std::vector<insight_id>& sources) const {
    std::size_t added = 0;
    for (const auto& row : look_.outcomes)
      if (row.check == check && !row.met && holds(row.lines, value)
          && added++ < max_sources / 2)
        sources.push_back(row.source);
  }

  std::vector<insight_id> need_sources(line_number line,
                                       line_number call) const {
    std::vector<insight_id> out;
    for (const auto& row : look_.outcomes)
      if (row.check == whole_task_check && row.met && holds(row.lines, line)
          && holds(row.quiet, call) && out.size() < max_sources)
        out.push_back(row.source);
    return out;
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
        // With the call, nearly all succeed: the line itself marks the case.
        if (n.met_with < 0.8 * with) continue;
        // Chance that all successes had the call if it did not matter.
        const double share = static_cast<double>(with) / all;
        double chance = 1;
        for (std::uint32_t i = 0; i < n.met_with; ++i)
          chance *= share;
        if (chance > 0.15) continue;
        induced_rule item;
        item.content.when.push_back({look_.look, table_.text(line)});
        item.content.calls.push_back(table_.text(call));
        item.support = n.met_with;
        item.sources = need_sources(line, call);
        out.rules.push_back(std::move(item));
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
        // Other endings must exist, or the line says nothing.
        if (t.met_line < options_.min_goal || t.unmet - t.unmet_line < 3)
          continue;
        if (t.met_line < options_.goal_precision * shown
            || t.met_line < options_.goal_precision * t.met)
          continue;
        // Clauses that go together would only repeat the same goal.
        if (!known.emplace(line, t.met_line).second) continue;
        induced_goal item;
        item.content.shows = {look_.look, table_.text(line)};
        if (place.what == setting::kind::clause)
          item.content.clauses.push_back(table_.text(place.number));
        item.support = t.met_line;
        for (const auto& row : look_.outcomes)
          if (row.met && row.check == whole_task_check && holds(row.lines, line)
              && item.sources.size() < max_sources)
            item.sources.push_back(row.source);
        out.goals.push_back(std::move(item));
      }
  }

  const evidence_table& table_;
  const look_evidence& look_;
  const induction_options& options_;
  outcome_counts counts_;
  std::vector<std::string_view> checks_;
  std::vector<line_number> clauses_, lines_, quiet_;
};

} // namespace

induced induce(const evidence_table& table, const induction_options& options) {
  induced out;
  for (const auto& look : table.looks())
    look_induction{table, look, options}.run(out);
  return out;
}

} // namespace brewery
