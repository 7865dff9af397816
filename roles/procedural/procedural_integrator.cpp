#include "roles/procedural/procedural_integrator.hpp"

#include "base/rng.hpp"
#include "roles/procedural/call_text.hpp"
#include "roles/procedural/rule_induction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace brewery {

namespace {

/// Rules with less support may be left out by a draw.
constexpr std::uint32_t thin_support = 4;

/// Number of instruction clauses quoted in a document, for retrieval.
constexpr std::size_t max_quoted_clauses = 3;

constexpr std::size_t max_examples = 2;

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

/// Writes lines and stores the insights behind each.
class page {
public:
  void line(const std::string& text,
            const std::vector<insight_id>& sources = {}) {
    body_ += text + "\n";
    ++number_;
    if (!sources.empty()) evidence_.push_back({number_, sources});
  }
  integrate_result take(job_id id) {
    return {std::move(id), std::move(body_), std::move(evidence_)};
  }

private:
  std::string body_;
  std::uint32_t number_ = 0;
  std::vector<line_evidence> evidence_;
};

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
      knowledge.rules.push_back({old, 1, {}});
  }
  for (const auto& placed : guide.goals)
    if (!observed.contains(placed.content.shows.observation))
      knowledge.goals.push_back({placed.content, 1, {}});
}

/// Clauses of the instructions in which this concept occurs, most frequent
/// first.
std::vector<std::string> common_clauses(const integrate_job& job,
                                        std::size_t limit) {
  std::map<std::string, std::uint32_t> counts;
  for (const auto& counted : job.insights)
    for (const auto& clause : counted.item.fact.context)
      counts[clause] += counted.count;
  std::vector<std::pair<std::string, std::uint32_t>> order{counts.begin(),
                                                           counts.end()};
  std::stable_sort(
      order.begin(), order.end(),
      [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(limit, order.size()); ++i)
    out.push_back(order[i].first);
  return out;
}

void write_when(page& out, const integrate_job& job, const induced& knowledge,
                const evidence_table& table, std::size_t clauses) {
  out.line("**When to use**");
  out.line("");
  std::set<std::string> observations;
  for (const auto& observation : table.observations())
    observations.insert(observation.observation);
  for (const auto& observation : observations)
    out.line(fmt::format("- To understand what `{}` reports.", observation));
  for (const auto& item : knowledge.rules)
    // Quoted, because text from outside may contain line breaks or look like a
    // rule.
    out.line(fmt::format("- `{}` reports {}.",
                         item.content.when.front().observation,
                         json_quoted(item.content.when.front().line)));
  for (const auto& clause : common_clauses(job, clauses))
    out.line(fmt::format("- The task is like: {}.", json_quoted(clause)));
  out.line("");
}

void write_why(page& out, const induced& knowledge) {
  out.line("**Why to use it**");
  out.line("");
  if (knowledge.rules.empty() && knowledge.goals.empty())
    out.line("So far nothing seen here decided about success.");
  for (const auto& item : knowledge.rules)
    out.line(fmt::format("- Failures were left with {}; the remedy was seen "
                         "to work {} {}.",
                         json_quoted(item.content.when.front().line),
                         item.support, item.support == 1 ? "time" : "times"),
             item.sources);
  for (const auto& item : knowledge.goals)
    out.line(fmt::format("- {} rollouts that ended with {} succeeded.",
                         item.support, json_quoted(item.content.shows.line)),
             item.sources);
  out.line("");
}

void write_how(page& out, const induced& knowledge) {
  out.line("### How to perform");
  out.line("");
  std::size_t number = 0;
  for (const auto& item : knowledge.rules)
    out.line(fmt::format("{}. {}", ++number, to_text(item.content)),
             item.sources);
  if (number == 0) out.line("No remedy is known yet.");
  out.line("");
  out.line("### Additional actions");
  out.line("");
  for (const auto& item : knowledge.goals)
    out.line("- " + to_text(item.content), item.sources);
  if (knowledge.goals.empty())
    out.line("- Look again after each change, and stop when nothing is left "
             "to correct.");
  out.line("");
}

void write_example(page& out, const integrate_job& job,
                   const induced& knowledge) {
  std::map<insight_id, const insight*> sentences;
  for (const auto& counted : job.insights)
    sentences[counted.item.id] = &counted.item;
  out.line("### Example");
  out.line("");
  std::size_t written = 0;
  for (const auto& item : knowledge.rules) {
    if (written == max_examples || item.sources.empty()) break;
    const auto found = sentences.find(item.sources.front());
    if (found == sentences.end()) continue;
    out.line("- " + found->second->sentence, {item.sources.front()});
    ++written;
  }
  if (written == 0) out.line("None yet.");
}

} // namespace

result<integrate_result>
procedural_integrator::integrate(const integrate_job& job,
                                 const document* parent, job_context&) const {
  rng draw{rng_key(job.seed, "integrate", job.concept_ref.value, job.draw,
                   std::string_view{job.parent.value})};
  const auto style = style_of(job, draw);
  const evidence_table table{job.insights};
  auto knowledge = induce(table, style.thresholds);
  if (parent != nullptr) merge_parent(*parent, table, knowledge);
  std::erase_if(knowledge.rules, [&](const auto& item) {
    return item.support < thin_support && draw.uniform() < style.drop_thin;
  });
  page out;
  out.line("# " + job.title);
  out.line("");
  write_when(out, job, knowledge, table, style.clauses);
  write_why(out, knowledge);
  write_how(out, knowledge);
  write_example(out, job, knowledge);
  return out.take(job.id);
}

} // namespace brewery
