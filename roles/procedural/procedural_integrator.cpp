#include "roles/procedural/procedural_integrator.hpp"

#include "base/rng.hpp"
#include "roles/procedural/document_text.hpp"
#include "roles/procedural/induction/rule_merging.hpp"
#include "roles/procedural/varied_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace brewery {

namespace {

/// Rules with fewer graded attempts may be left out by a draw.
constexpr std::uint32_t thin_support = 4;

/// Number of instruction clauses quoted in a document, for retrieval.
constexpr std::size_t max_quoted_clauses = 3;

/// How a draw differs from others.
struct draw_style {
  induction_options thresholds;
  /// Probability that a weakly supported rule is left out.
  double drop_thin = 0;
  std::size_t clauses = max_quoted_clauses;
};

draw_style style_of(const integrate_job& job, rng& draw) {
  draw_style style;
  // The first draw uses the default thresholds.
  if (job.draw == 0 || job.temperature <= 0) return style;
  const auto swing = [&] { return (2 * draw.uniform() - 1) * job.temperature; };
  style.thresholds.max_chance *= std::exp(swing());
  style.thresholds.min_reliability =
      std::clamp(style.thresholds.min_reliability + 0.4 * swing(), 0.3, 1.0);
  style.thresholds.min_needed += draw.uniform() < 0.5 ? 1 : 0;
  style.drop_thin = 0.5 * job.temperature * draw.uniform();
  style.clauses = static_cast<std::size_t>(draw.below(max_quoted_clauses + 1));
  return style;
}

bool same_case(const rule& a, const rule& b) {
  return a.when.front() == b.when.front() && a.clauses == b.clauses;
}

/// Adds the parent's rules and goals, unless the new evidence contains their
/// observation or a rule with the same condition.
void merge_parent(const document& parent, const evidence_table& table,
                  induced& knowledge) {
  const auto guide = read_guidance(parent.body);
  std::set<std::string> observed;
  for (const auto& observation : table.observations())
    observed.insert(observation.observation);
  for (const auto& placed : guide.rules) {
    const auto& old = placed.content;
    const bool replaced = std::any_of(
        knowledge.rules.begin(), knowledge.rules.end(),
        [&](const auto& fresh) { return same_case(fresh.content, old); });
    if (!replaced && !observed.contains(old.when.front().observation))
      knowledge.rules.push_back({old, {}, {}});
  }
  for (const auto& placed : guide.goals)
    if (!observed.contains(placed.content.shows.observation))
      knowledge.goals.push_back({placed.content, {}, {}, {}});
}

} // namespace

std::string procedural_integrator::fingerprint() const {
  const integrator_options usual;
  if (options_.drafts == usual.drafts && options_.max_rules == usual.max_rules)
    return {};
  return fmt::format("drafts={} rules={}", options_.drafts, options_.max_rules);
}

result<integrate_result>
procedural_integrator::integrate(const integrate_job& job,
                                 const document* parent, job_context&) const {
  rng draw{rng_key(job.seed, "integrate", job.concept_ref.value, job.draw,
                   std::string_view{job.parent.value})};
  const auto shared = evidence_.of(job.insights.list());
  const auto& table = shared->table();
  if (options_.drafts == "varied") {
    const auto made =
        varied_draft(job, parent, table, options_.max_rules, draw);
    auto out = document_text(job, made.knowledge, made.quotes);
    evidence_.done(job.insights.list());
    return out;
  }
  const auto style = style_of(job, draw);
  auto knowledge = induce(*shared, style.thresholds);
  if (parent != nullptr) merge_parent(*parent, table, knowledge);
  std::erase_if(knowledge.rules, [&](const auto& item) {
    return (!item.proof || item.proof->with.of < thin_support)
           && draw.uniform() < style.drop_thin;
  });
  merge_equal(knowledge);
  keep_best_supported(knowledge.rules, options_.max_rules);
  auto out = document_text(job, knowledge,
                           telling_clauses(job, knowledge, style.clauses));
  evidence_.done(job.insights.list());
  return out;
}

} // namespace brewery
