#include "roles/memory/procedural_arbiter.hpp"

#include "base/text.hpp"
#include "kb/experience/experience.hpp"
#include "messages/memory/agent_kb_steps.hpp"
#include "roles/procedural/rule_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

std::vector<rule> rules_of(const experience& item) {
  std::vector<rule> out;
  for (auto& placed : read_guidance(join(item.steps, "\n")).rules)
    out.push_back(std::move(placed.content));
  return out;
}

bool contradict(const rule& a, const rule& b) {
  return a.when == b.when && a.clauses == b.clauses && a.calls != b.calls;
}

double compatibility_of(const experience& a, const experience& b) {
  const auto mine = rules_of(a), others = rules_of(b);
  const auto fewer = std::min(mine.size(), others.size());
  if (fewer == 0) return 1;
  const auto contradicted = std::ranges::count_if(mine, [&](const rule& one) {
    return std::ranges::any_of(
        others, [&](const rule& other) { return contradict(one, other); });
  });
  return 1
         - std::min(1.0, static_cast<double>(contradicted)
                             / static_cast<double>(fewer));
}

template <class T>
void unite(std::vector<T>& to, const std::vector<T>& from) {
  for (const auto& one : from)
    if (std::ranges::find(to, one) == to.end()) to.push_back(one);
}

} // namespace

memory_result arbitrated(const memory_job& job) {
  const auto texts = texts_of(job.texts, memory_texts::experience);
  if (texts.size() != 2) return {};
  auto both = read_experience(texts[0]);
  const auto other = read_experience(texts[1]);
  if (!both || !other) return {};
  memory_result out;
  out.texts.push_back({memory_texts::compatibility,
                       fmt::format("{:.3f}", compatibility_of(*both, *other))});
  unite(both->problem, other->problem);
  unite(both->goal, other->goal);
  unite(both->steps, other->steps);
  unite(both->failures, other->failures);
  both->difficulty = std::max(both->difficulty, other->difficulty);
  unite(both->tools, other->tools);
  std::ranges::sort(both->tools);
  unite(both->from, other->from);
  if (auto text = to_markdown(*both); read_experience(text))
    out.texts.push_back({memory_texts::experience, std::move(text)});
  return out;
}

} // namespace brewery
