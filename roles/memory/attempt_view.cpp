#include "roles/memory/attempt_view.hpp"

#include "roles/procedural/task_facts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

bool attempt_view::ended_with(const condition& item) const {
  const auto found = last.find(item.observation);
  return found != last.end()
         && std::ranges::find(found->second, item.line) != found->second.end();
}

std::string text_in(const memory_job& job, std::string_view name) {
  auto all = texts_of(job.texts, name);
  return all.empty() ? std::string{} : std::move(all.front());
}

attempt_view view_of(const std::string& instruction,
                     const std::vector<trajectory_step>& steps) {
  attempt_view out;
  const observation_cache parsed;
  task_facts facts{instruction, parsed};
  for (const auto& step : steps) {
    const auto arguments = json::parse(step.arguments, nullptr, false);
    if (!step.failed) facts.observe(step.observation);
    if (arguments.is_discarded() || step.failed) continue;
    out.tools.insert(step.tool);
    auto text = to_text(facts.generalise(step.tool, arguments));
    if (step.mutates) {
      out.changes.push_back(std::move(text));
      continue;
    }
    if (!facts.about_focus(arguments)) continue;
    auto lines = facts.lines_of(step.observation);
    for (const auto& line : lines)
      out.shown.emplace(text, line);
    if (out.first.emplace(text, lines).second) out.looks.push_back(text);
    out.last[text] = std::move(lines);
  }
  out.clauses = facts.contexts();
  return out;
}

std::string sighting_text(const std::string& look, const std::string& line) {
  return fmt::format("`{}` shows {}", look, json_quoted(line));
}

} // namespace brewery
