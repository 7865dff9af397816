#include "roles/desktop/procedural/desktop_integrator.hpp"

#include "base/text.hpp"
#include "roles/desktop/procedural/desktop_policy.hpp"
#include "roles/desktop/procedural/recipes.hpp"
#include "roles/procedural/cited_page.hpp"
#include "roles/procedural/rule_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::desktop {

namespace {

constexpr std::size_t most_examples = 2;

rule rule_of(const recipe& item) {
  rule out;
  out.when = {{screen_call, item.place}};
  out.clauses = item.words;
  out.calls = item.moves;
  return out;
}

void write_parts(cited_page& out, const std::vector<recipe>& recipes) {
  out.line("**When to use**");
  out.line("");
  for (const auto& item : recipes)
    out.line(fmt::format("- In `{}`, if the task says: {}.", item.place,
                         join(item.words, ", ")),
             item.sources);
  out.line("");
  out.line("### How to perform");
  out.line("");
  std::size_t number = 0;
  for (const auto& item : recipes)
    out.line(fmt::format("{}. {}", ++number, to_text(rule_of(item))),
             item.sources);
  out.line("");
  out.line("### Additional actions");
  out.line("");
  number = 0;
  for (const auto& item : recipes)
    out.line(fmt::format("- Step {}: {} of {} attempts with these moves met "
                         "their task; they were {}.",
                         ++number, item.met, item.met + item.missed,
                         counted(item.tasks, "task")),
             item.sources);
  out.line("");
  out.line("### Example");
  out.line("");
  for (std::size_t i = 0; i < std::min(most_examples, recipes.size()); ++i)
    out.line("- " + recipes[i].example, {recipes[i].sources.front()});
}

/// Rules of the parent for places that the new evidence says nothing about.
std::vector<rule> kept_rules(const document* parent,
                             const std::vector<recipe>& recipes) {
  std::vector<rule> out;
  if (parent == nullptr) return out;
  for (const auto& placed : read_guidance(parent->body).rules) {
    const auto& old = placed.content;
    const bool known = std::ranges::any_of(recipes, [&](const auto& item) {
      return item.place == old.when.front().line;
    });
    if (!known) out.push_back(old);
  }
  return out;
}

} // namespace

std::string procedural_desktop_integrator::fingerprint() const {
  return "desktop-recipes/1"
         + (max_rules_ > 0 ? fmt::format(" rules={}", max_rules_)
                           : std::string{});
}

result<integrate_result> procedural_desktop_integrator::integrate(
    const integrate_job& job, const document* parent, job_context&) const {
  rng draw{rng_key(job.seed, "desktop-integrate", job.concept_ref.value,
                   job.draw, std::string_view{job.parent.value})};
  recipe_options options;
  // The first draw uses the usual thresholds.
  if (job.draw > 0 && job.temperature > 0) {
    options.least_words = 1 + static_cast<std::uint32_t>(draw.below(3));
    options.most_words =
        options.least_words + static_cast<std::uint32_t>(draw.below(3));
    options.min_share = std::clamp(
        options.min_share + job.temperature * (draw.uniform() - 0.5), 0.1, 1.0);
    options.other_way = 0.3 * job.temperature * draw.uniform();
  }
  auto recipes = find_recipes(job.insights, options, draw);
  if (max_rules_ > 0 && recipes.size() > max_rules_) recipes.resize(max_rules_);
  cited_page out;
  const auto old = kept_rules(parent, recipes);
  if (recipes.empty() && old.empty()) return out.take(job.id);
  out.line("# " + job.title);
  out.line("");
  write_parts(out, recipes);
  for (const auto& item : old)
    out.line("- " + to_text(item) + " (From an earlier version.)");
  return out.take(job.id);
}

} // namespace brewery::desktop
