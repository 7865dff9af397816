#include "roles/rule_induction.hpp"

#include "roles/procedural_reflector.hpp"
#include "roles/status_lines.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace brewery {

namespace {

/// Testing many contexts finds some by chance: ask more of them.
constexpr double context_severity = 0.1;

/// Share of met rollouts from which a value counts as right.
constexpr double good_share = 0.2;
constexpr double needed_share = 0.8;

constexpr std::size_t max_sources = 8;

/// A condition beside the line itself: nothing, a clause of the instruction, or
/// another line of the same look.
struct setting {
  enum class kind { any, clause, line } what = kind::any;
  line_number number = 0;
};

bool matches(const setting& where, const outcome_row& row) {
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

struct tally {
  std::uint32_t met = 0, unmet = 0; ///< rollouts in the setting
  std::uint32_t met_line = 0,
                unmet_line = 0; ///< of these, ending with the line
};

tally count(const look_evidence& look, std::string_view check,
            const setting& where, line_number line) {
  tally out;
  for (const auto& row : look.outcomes) {
    if (row.check != check || !matches(where, row)) continue;
    const bool shown = holds(row.lines, line);
    (row.met ? out.met : out.unmet) += row.count;
    if (shown) (row.met ? out.met_line : out.unmet_line) += row.count;
  }
  return out;
}

/// Chance that no met rollout ends with the line if the line did not matter.
double absence_chance(const tally& t) {
  if (t.unmet == 0) return 1;
  return std::pow(1.0 - static_cast<double>(t.unmet_line) / t.unmet, t.met);
}

/// How calls changed the values of one key.
class transitions {
public:
  transitions(const look_evidence& look,
              const std::vector<line_number>& values) {
    for (const auto& row : look.effects) {
      const auto from = value_in(row.before, values);
      const auto to = value_in(row.after, values);
      if (!from || !to) continue;
      record(*from, *to, row.actions, row);
      if (row.actions.size() != 1) continue;
      // An earlier call that showed nothing may have prepared this one.
      for (const auto earlier : std::set(row.quiet.begin(), row.quiet.end()))
        record(*from, *to, {earlier, row.actions.front()}, row);
    }
  }

  struct step {
    std::vector<line_number> calls;
    line_number to = 0;
    std::uint32_t changed = 0;
    std::vector<insight_id> sources;
  };

  /// First step of the shortest reliable way from each value to a good one.
  [[nodiscard]] std::map<line_number, step>
  remedies(const std::set<line_number>& good, double min_reliability) const {
    std::map<line_number, step> chosen;
    std::set<line_number> reached = good;
    for (std::uint32_t round = 0; round < max_steps; ++round) {
      std::set<line_number> added;
      for (const auto& [value, attempts] : from_) {
        if (reached.contains(value)) continue;
        auto next = best_step(attempts, reached, min_reliability);
        if (!next) continue;
        chosen.emplace(value, std::move(*next));
        added.insert(value);
      }
      reached.insert(added.begin(), added.end());
    }
    return chosen;
  }

private:
  static constexpr std::uint32_t max_steps = 3;

  struct arrival {
    std::uint32_t count = 0;
    std::vector<insight_id> sources;
  };
  struct attempt_count {
    std::uint32_t attempted = 0;
    std::map<line_number, arrival> arrivals; ///< without staying
  };
  using attempts_by_calls = std::map<std::vector<line_number>, attempt_count>;

  static std::optional<line_number>
  value_in(const std::vector<line_number>& lines,
           const std::vector<line_number>& values) {
    for (const auto value : values)
      if (holds(lines, value)) return value;
    return std::nullopt;
  }

  void record(line_number from, line_number to, std::vector<line_number> calls,
              const effect_row& row) {
    auto& entry = from_[from][std::move(calls)];
    entry.attempted += row.count;
    if (from == to) return;
    auto& there = entry.arrivals[to];
    there.count += row.count;
    if (there.sources.size() < max_sources) there.sources.push_back(row.source);
  }

  /// The most reliable sequence of the smallest length that is reliable enough:
  /// what worked with an idle call before it also works without.
  static std::optional<step> best_step(const attempts_by_calls& attempts,
                                       const std::set<line_number>& reached,
                                       double min_reliability) {
    std::optional<step> best;
    double best_score = 0;
    for (const auto& [calls, entry] : attempts)
      for (const auto& [to, there] : entry.arrivals) {
        if (!reached.contains(to)) continue;
        if (best && best->calls.size() < calls.size()) continue;
        // A sequence needs more than one sighting: chance made many of them.
        const double doubt = calls.size() > 1 ? 1.0 : 0.0;
        if (there.count < min_reliability * (entry.attempted + doubt)) continue;
        // The half keeps one lucky change from beating many sure ones.
        const double score = there.count / (entry.attempted + 0.5);
        if (best && best->calls.size() == calls.size() && score <= best_score)
          continue;
        best_score = score;
        best = step{calls, to, there.count, there.sources};
      }
    return best;
  }

  std::map<line_number, attempts_by_calls> from_;
};

/// Collects the rules and goals of one look.
class look_induction {
public:
  look_induction(const evidence_table& table, const look_evidence& look,
                 const induction_options& options)
      : table_(table), look_(look), options_(options) {
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
                             const std::vector<setting>& where) const {
    std::optional<verdict> worst;
    for (const auto& place : where) {
      const bool plain = place.what == setting::kind::any;
      // A plain verdict needs no context.
      if (!plain && worst && worst->where.what == setting::kind::any) break;
      const double allowed =
          options_.max_chance * (plain ? 1.0 : context_severity);
      for (const auto check : checks_) {
        const auto t = count(look_, check, place, value);
        const double chance = absence_chance(t);
        if (t.met == 0 || t.met_line > 0 || t.unmet_line < 2 ||
            chance > allowed || needed_elsewhere(value, place, check))
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
      const auto t = count(look_, other, where, value);
      return t.met >= 3 && t.met_line >= needed_share * t.met;
    });
  }

  /// Values that a fair share of met rollouts ended with in this setting.
  std::set<line_number> good(const std::vector<line_number>& values,
                             const verdict& why) const {
    std::set<line_number> out;
    for (const auto value : values) {
      const auto t = count(look_, why.check, why.where, value);
      if (t.met_line > 0 && t.met_line >= good_share * t.met) out.insert(value);
    }
    return out;
  }

  void add_remedies(const std::vector<line_number>& values, induced& out) {
    const transitions ways{look_, values};
    const auto where = settings(values);
    for (const auto value : values) {
      const auto why = bad(value, where);
      if (!why) continue;
      const auto remedies =
          ways.remedies(good(values, *why), options_.min_reliability);
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
      item.content.expect = table_.text(step.to);
      item.support = step.changed;
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

  struct need {
    std::uint32_t met_with = 0, met_without = 0, unmet_with = 0,
                  unmet_without = 0;
    std::vector<insight_id> sources;
  };

  need count_need(line_number line, line_number call) const {
    need out;
    for (const auto& row : look_.outcomes) {
      if (row.check != whole_task_check || !holds(row.lines, line)) continue;
      const bool with = holds(row.quiet, call);
      auto& slot = row.met ? (with ? out.met_with : out.met_without)
                           : (with ? out.unmet_with : out.unmet_without);
      slot += row.count;
      if (row.met && with && out.sources.size() < max_sources)
        out.sources.push_back(row.source);
    }
    return out;
  }

  void add_needed_calls(induced& out) const {
    for (const auto call : quiet_)
      for (const auto line : lines_) {
        const auto n = count_need(line, call);
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
        item.sources = n.sources;
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
        const auto t = count(look_, whole_task_check, place, line);
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
