#include "roles/procedural/varied_draft.hpp"

#include "roles/procedural/induction/gain.hpp"
#include "roles/procedural/ticket_quotes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace brewery {

namespace {

enum class preference : std::uint8_t { gain, support, both };

struct varied_style {
  std::uint32_t min_tried = 1; ///< attempts that a rule needs
  double min_gain = 0.05;      ///< that it must promise
  /// How far an estimate may be off that rests on one attempt.
  double doubt = 0;
  /// How much better a rule with a second condition must be than one without.
  double margin = 0.15;
  preference prefers = preference::both;
  bool specific_first = true;
  double revised = 0; ///< share of the parent's cases that are written anew
  double added = 1;   ///< share of the cases new to the parent that it adds
  std::size_t clauses = 2;
  bool spares = false; ///< does without one of the parent's calls
  bool closed = false; ///< makes no call that the parent does without
};

constexpr double added_share = 0.7;
constexpr double sparing_share = 0.4, closed_share = 0.6;

varied_style varied_style_of(const integrate_job& job, rng& draw) {
  varied_style style;
  style.revised = job.temperature > 0 ? job.temperature / 2 : 1;
  if (job.draw == 0 || job.temperature <= 0) return style;
  style.min_tried += static_cast<std::uint32_t>(draw.below(3));
  style.min_gain = 0.02 + 0.3 * draw.uniform() * job.temperature;
  style.doubt = 0.5 * draw.uniform() * job.temperature;
  style.margin = 0.05 + 0.4 * draw.uniform();
  style.prefers = static_cast<preference>(draw.below(3));
  style.specific_first = draw.uniform() < 0.75;
  style.added = added_share;
  style.clauses = static_cast<std::size_t>(draw.below(4));
  style.spares = draw.uniform() < sparing_share;
  style.closed = draw.uniform() < closed_share;
  return style;
}

struct weighed_rule {
  induced_rule item;
  double gain = 0;
  std::uint32_t tried = 0;
};

using case_key = std::vector<std::pair<std::string, std::string>>;
using rules_by_case = std::map<case_key, weighed_rule>;

case_key key_of(const rule& item) {
  case_key out;
  for (const auto& shown : item.when)
    out.emplace_back(shown.observation, shown.line);
  return out;
}

/// Which calls a draft may make. What a call does elsewhere, no evidence about
/// its own look says: only a version without it can show what it is worth.
class call_choice {
public:
  call_choice(const rules_by_case& parent, const varied_style& style,
              rng& draw) {
    std::set<std::string> known;
    for (const auto& [where, made] : parent)
      known.insert(made.item.content.calls.begin(),
                   made.item.content.calls.end());
    if (known.empty()) return;
    if (style.spares)
      spared_ = *std::next(
          known.begin(), static_cast<std::ptrdiff_t>(draw.below(known.size())));
    if (style.closed) only_ = std::move(known);
  }

  [[nodiscard]] bool may(const std::string& call) const {
    return call != spared_ && (!only_ || only_->contains(call));
  }
  [[nodiscard]] bool may(const rule& item) const {
    return std::all_of(item.calls.begin(), item.calls.end(),
                       [this](const auto& call) { return may(call); });
  }

private:
  std::string spared_; ///< empty: none
  std::optional<std::set<std::string>> only_;
};

/// Writes the rules of one observation in a style.
class case_writer {
public:
  case_writer(const evidence_table& table,
              const observation_evidence& observation,
              const varied_style& style, const call_choice& calls, rng& draw)
      : table_(table), observation_(observation), style_(style), calls_(calls),
        draw_(draw), gains_(gains_of(observation)) {}

  void write(rules_by_case& out) {
    for (const auto& [where, options] : gains_.cases) {
      if (where.beside) continue;
      const auto general = best(options, style_.min_gain);
      if (general.option != nullptr) add(where, *general.option, out);
      write_specific(where.shown, general.option, out);
    }
  }

  /// Fills in what is known of the rules of an earlier version.
  void weigh(rules_by_case& rules) const {
    for (const auto& [where, options] : gains_.cases) {
      const auto found = rules.find(key_of(rule_of(where, {}).content));
      if (found == rules.end()) continue;
      for (const auto& option : options)
        if (rule_of(where, option).content.calls
            == found->second.item.content.calls)
          found->second = weighed(where, option);
    }
  }

private:
  struct choice {
    const gain_option* option = nullptr;
    double seen_gain = 0;
  };

  [[nodiscard]] bool may(const gain_option& option) const {
    return std::all_of(
        option.calls.begin(), option.calls.end(),
        [this](const auto call) { return calls_.may(table_.text(call)); });
  }

  /// The option that looks best to this draft and promises `least`.
  choice best(const std::vector<gain_option>& options, double least) {
    choice out;
    for (const auto& option : options) {
      if (option.tried < style_.min_tried || !may(option)) continue;
      const double seen = option.gain
                          + style_.doubt * normal_draw(draw_)
                                / std::sqrt(static_cast<double>(option.tried));
      if (seen >= least && (!out.option || seen > out.seen_gain))
        out = {&option, seen};
    }
    return out;
  }

  /// Rules for the line beside another one, where they are better than the rule
  /// that holds for the line in general.
  void write_specific(line_number shown, const gain_option* general,
                      rules_by_case& out) {
    for (const auto& [where, options] : gains_.cases) {
      if (where.shown != shown || !where.beside) continue;
      double usual = 0;
      for (const auto& option : options)
        if (general != nullptr && option.calls == general->calls)
          usual = option.gain;
      const auto found =
          best(options, std::max(style_.min_gain, usual + style_.margin));
      if (found.option != nullptr
          && (general == nullptr || found.option->calls != general->calls))
        add(where, *found.option, out);
    }
  }

  induced_rule rule_of(const gain_case& where,
                       const gain_option& option) const {
    induced_rule out;
    out.content.when.push_back(
        {observation_.observation, table_.text(where.shown)});
    if (where.beside)
      out.content.when.push_back(
          {observation_.observation, table_.text(*where.beside)});
    for (const auto call : option.calls)
      out.content.calls.push_back(table_.text(call));
    if (option.leaves) out.content.expect = table_.text(*option.leaves);
    return out;
  }

  void add(const gain_case& where, const gain_option& option,
           rules_by_case& out) const {
    auto made = weighed(where, option);
    auto key = key_of(made.item.content);
    out[std::move(key)] = std::move(made);
  }

  weighed_rule weighed(const gain_case& where,
                       const gain_option& option) const {
    auto item = rule_of(where, option);
    item.sources = option.sources;
    std::vector<rollout_number> left;
    for (const auto& row : observation_.outcomes)
      if (row.check == gains_.check && holds(row.lines, where.shown)
          && (!where.beside || holds(row.lines, *where.beside)))
        left.insert(left.end(), row.rollouts.begin(), row.rollouts.end());
    item.proof = prove(table_, gains_.check, option.rollouts, left);
    return {std::move(item), option.gain, option.tried};
  }

  const evidence_table& table_;
  const observation_evidence& observation_;
  const varied_style& style_;
  const call_choice& calls_;
  rng& draw_;
  gain_table gains_;
};

/// The rules of the parent, revised in the cases that the style revises.
rules_by_case revised(const rules_by_case& old, const rules_by_case& fresh,
                      const varied_style& style, const call_choice& calls,
                      rng& draw) {
  rules_by_case out;
  for (const auto& [where, item] : old) {
    const auto now = fresh.find(where);
    const bool anew =
        draw.uniform() < style.revised || !calls.may(item.item.content);
    if (!anew) out.emplace(where, item);
    if (anew && now != fresh.end()) out.emplace(where, now->second);
  }
  for (const auto& [where, item] : fresh)
    if (!old.contains(where) && draw.uniform() < style.added)
      out.emplace(where, item);
  return out;
}

double worth(const weighed_rule& item, preference prefers) {
  const auto tried = static_cast<double>(item.tried);
  switch (prefers) {
  case preference::gain:
    return item.gain;
  case preference::support:
    return tried;
  case preference::both:
    return item.gain * std::sqrt(tried);
  }
  return 0;
}

std::vector<induced_rule> in_order(rules_by_case rules,
                                   const varied_style& style,
                                   std::uint32_t max_rules) {
  std::vector<weighed_rule> all;
  for (auto& [where, item] : rules)
    all.push_back(std::move(item));
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return worth(a, style.prefers) > worth(b, style.prefers);
  });
  if (max_rules > 0 && all.size() > max_rules) all.resize(max_rules);
  if (style.specific_first)
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.item.content.when.size() > b.item.content.when.size();
    });
  std::vector<induced_rule> out;
  for (auto& entry : all)
    out.push_back(std::move(entry.item));
  return out;
}

} // namespace

draft varied_draft(const integrate_job& job, const document* parent,
                   const evidence_table& table, std::uint32_t max_rules,
                   rng& draw) {
  const auto style = varied_style_of(job, draw);
  rules_by_case old, fresh;
  if (parent != nullptr)
    for (const auto& placed : read_guidance(parent->body).rules)
      old[key_of(placed.content)].item.content = placed.content;
  const call_choice calls{old, style, draw};
  for (const auto& observation : table.observations()) {
    case_writer writer{table, observation, style, calls, draw};
    writer.write(fresh);
    writer.weigh(old);
  }
  auto rules = parent == nullptr ? std::move(fresh)
                                 : revised(old, fresh, style, calls, draw);
  return {{in_order(std::move(rules), style, max_rules), {}},
          ticket_quotes(job, parent,
                        {style.clauses, style.revised,
                         job.draw > 0 ? job.temperature : 0},
                        draw)};
}

} // namespace brewery
