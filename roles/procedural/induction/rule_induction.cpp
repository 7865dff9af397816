#include "roles/procedural/induction/rule_induction.hpp"

#include "roles/procedural/induction/success_rules.hpp"
#include "roles/procedural/procedural_reflector.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace brewery {

namespace {

/// Factor on max_chance. The more settings are tested, the more match by
/// chance, so a larger group of settings has a stricter limit.
double severity(setting::kind what) {
  switch (what) {
  case setting::kind::any:
    return 1;
  case setting::kind::clause:
    return 0.1;
  case setting::kind::line:
    return 0.01;
  }
  return 1;
}

/// Minimum share of met rollouts that end with a value that counts as good.
constexpr double good_share = 0.2;

/// Minimum share of the rollouts that met another check for it to need a value.
constexpr double needed_share = 0.8;

/// The chance that no met rollout ends with the line if the line had no effect.
double absence_chance(const tally& t) {
  if (t.unmet == 0 || t.met == 0) return 1;
  return std::pow(1.0 - static_cast<double>(t.unmet_line) / t.unmet, t.met);
}

/// Induces the remedies of one observation's bad values.
class remedy_induction {
public:
  remedy_induction(const evidence_table& table,
                   const counted_observation& counted,
                   const induction_options& options)
      : table_(table), counted_(counted), observation_(counted.evidence()),
        counts_(counted.counts()), options_(options) {
    std::set<std::string_view> checks;
    std::set<line_number> clauses, lines;
    for (const auto& row : observation_.outcomes) {
      checks.insert(row.check);
      clauses.insert(row.contexts.begin(), row.contexts.end());
      lines.insert(row.lines.begin(), row.lines.end());
    }
    // Successes of different tasks combined make broken states look healthy. So
    // use the single checks of the grader if there are any.
    checks_.assign(checks.begin(), checks.end());
    if (checks_.size() > 1) std::erase(checks_, whole_task_check);
    clauses_ = table.by_text(clauses);
    lines_ = table.by_text(lines);
  }

  void run(induced& out) {
    for (std::size_t i = 0; i < counted_.groups().size(); ++i)
      if (const auto* ways = counted_.ways(i))
        add_remedies(counted_.groups()[i], *ways, out);
  }

private:
  /// The settings in the order of trial: the most general first.
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
    std::uint32_t explained = 0; ///< missed rollouts that ended with the line
  };

  /// Why `value` is bad; empty if it is not.
  std::optional<verdict> bad(line_number value,
                             const std::vector<setting>& where) const {
    std::optional<verdict> worst;
    for (const auto& place : where) {
      // Beside another line, such a value is known to be no harm.
      if (place.what == setting::kind::line && succeeded_with(value, place))
        continue;
      // If a value is bad in general, no narrower setting is needed.
      if (worst && worst->where.what == setting::kind::any
          && place.what != setting::kind::any)
        break;
      const double allowed = options_.max_chance * severity(place.what);
      for (const auto check : checks_) {
        const auto t = counts_.of(check, place, value);
        const double chance = absence_chance(t);
        if (t.met_line + t.given > 0 || t.unmet_line < 2 || chance > allowed
            || needed_elsewhere(value, place, check))
          continue;
        // Of other lines the one that explains most failures: one that fits a
        // few of them exactly must not hide it.
        const bool by_line = worst && place.what == setting::kind::line
                             && worst->where.what == setting::kind::line;
        if (!worst
            || (by_line ? t.unmet_line > worst->explained
                        : chance < worst->chance))
          worst = verdict{place, check, chance, t.unmet_line};
      }
    }
    return worst;
  }

  /// True if a rollout ended with the value and met the whole task.
  bool succeeded_with(line_number value, const setting& where) const {
    const auto t = counts_.of(whole_task_check, where, value);
    return t.met_line + t.given > 0;
  }

  /// True if nearly all rollouts that met another check ended with the value.
  /// Then a value that is wrong for one check is right for another, and no rule
  /// may change it.
  bool needed_elsewhere(line_number value, const setting& where,
                        std::string_view check) const {
    return std::any_of(checks_.begin(), checks_.end(), [&](auto other) {
      if (other == check) return false;
      const auto t = counts_.of(other, where, value);
      return t.met >= 3 && t.met_line >= needed_share * t.met;
    });
  }

  /// The values with which a fair share of met rollouts in this setting ended.
  std::set<line_number> good(const std::vector<line_number>& values,
                             const verdict& why) const {
    std::set<line_number> out;
    for (const auto value : values) {
      const auto t = counts_.of(why.check, why.where, value);
      if (t.met_line > 0 && t.met_line >= good_share * t.met) out.insert(value);
    }
    // What passes one check may fail another. So take the values with which
    // whole tasks succeeded, if there are any.
    auto whole = out;
    std::erase_if(
        whole, [&](auto value) { return !succeeded_with(value, why.where); });
    return whole.empty() ? out : whole;
  }

  void add_remedies(const std::vector<line_number>& values,
                    const transitions& ways, induced& out) {
    const auto where = settings(values);
    for (const auto value : values) {
      if (is_absence(value)) continue; // an absence cannot be recognised
      const auto why = bad(value, where);
      if (!why) continue;
      const auto remedies =
          ways.remedies(good(values, *why), options_.min_reliability);
      const auto found = remedies.find(value);
      if (found == remedies.end()) continue;
      auto made = rule_for(value, *why, found->second);
      if (!never_succeeds(*made.proof, why->check))
        out.rules.push_back(std::move(made));
    }
  }

  induced_rule rule_for(line_number value, const verdict& why,
                        const transitions::step& step) const {
    induced_rule item;
    item.content.when.push_back({observation_.observation, table_.text(value)});
    if (why.where.what == setting::kind::line)
      item.content.when.push_back(
          {observation_.observation, table_.text(why.where.number)});
    if (why.where.what == setting::kind::clause)
      item.content.clauses.push_back(table_.text(why.where.number));
    for (const auto call : step.calls)
      item.content.calls.push_back(table_.text(call));
    if (!is_absence(step.to)) item.content.expect = table_.text(step.to);
    item.sources = step.sources;
    std::vector<rollout_number> left;
    for (const auto& row : observation_.outcomes)
      if (row.check == why.check && holds(row.lines, value)
          && outcome_counts::matches(why.where, row)) {
        item.sources.push_back(row.source);
        left.insert(left.end(), row.rollouts.begin(), row.rollouts.end());
      }
    item.proof = prove(table_, why.check, step.rollouts, left);
    return item;
  }

  /// True if no graded attempt with the step met the check, although by chance
  /// alone some would have. After a few attempts it is too early to tell: they
  /// may have failed for other reasons.
  bool never_succeeds(const rule_proof& proof, std::string_view check) const {
    if (proof.with.met > 0) return false;
    std::uint32_t met = 0, all = 0;
    for (const auto& row : observation_.outcomes)
      if (row.check == check) {
        all += row.count;
        met += row.met ? row.count : 0;
      }
    const double missed = 1.0 - static_cast<double>(met) / std::max(all, 1U);
    return std::pow(missed, proof.with.of) <= options_.max_chance;
  }

  const evidence_table& table_;
  const counted_observation& counted_;
  const observation_evidence& observation_;
  const outcome_counts& counts_;
  const induction_options& options_;
  std::vector<std::string_view> checks_;
  std::vector<line_number> clauses_, lines_;
};

} // namespace

induced induce(const counted_evidence& evidence,
               const induction_options& options) {
  induced out;
  const auto& table = evidence.table();
  for (const auto& one : evidence.observations()) {
    remedy_induction{table, *one, options}.run(out);
    add_success_rules(table, one->evidence(), one->counts(), options, out);
  }
  return out;
}

} // namespace brewery
