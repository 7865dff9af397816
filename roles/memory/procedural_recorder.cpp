#include "roles/memory/procedural_recorder.hpp"

#include "base/text.hpp"
#include "learners/comparators/attempt_texts.hpp"
#include "messages/memory/comparator_steps.hpp"
#include "roles/memory/attempt_view.hpp"
#include "roles/procedural/procedural_reflector.hpp"
#include "roles/procedural/recorded_case.hpp"
#include "roles/procedural/status_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

constexpr std::size_t changes_max = 40; ///< of an attempt
/// Of an attempt, at its start and at its end: a result has 10,000 texts.
constexpr std::size_t states_max = 2'000;

std::string entity(const std::string& look, const std::string& line) {
  return fmt::format("{}: {}", look, line);
}

void add_change(recorded_attempt& to, const rule& content, bool kept) {
  if (content.when.empty()) return;
  recorded_change out;
  for (const auto& one : content.when)
    out.before.push_back(entity(one.observation, one.line));
  out.call = join(content.calls, ", ");
  if (!content.expect.empty())
    out.after = entity(content.when.front().observation, content.expect);
  out.sentence = to_text(content);
  out.kept = kept;
  if (to.changes.size() < changes_max
      && std::ranges::find(to.changes, out) == to.changes.end())
    to.changes.push_back(std::move(out));
}

/// `apart`: each line that went is a change of its own, as relations have two
/// ends.
void add_changes(recorded_attempt& to, const rule& content, bool kept,
                 bool apart) {
  if (!apart) return add_change(to, content, kept);
  for (const auto& before : content.when) {
    auto alone = content;
    alone.when = {before};
    add_change(to, alone, kept);
  }
}

std::vector<std::string> states_without(const insight_fact::text_list& some,
                                        const insight_fact::text_list& others) {
  std::vector<std::string> out;
  for (const auto& line : some)
    if (is_state(line) && std::ranges::find(others, line) == others.end())
      out.push_back(line);
  return out;
}

/// What one call did, as a rule; without conditions if that was nothing.
rule rule_of(const insight_fact& fact) {
  rule out;
  if (fact.kind != "effect" || fact.actions.size() != 1) return out;
  for (const auto& line : states_without(fact.before, fact.after))
    out.when.push_back({fact.observation, line});
  out.calls = fact.actions.items();
  const auto come = states_without(fact.after, fact.before);
  if (!come.empty()) out.expect = come.front();
  return out;
}

void add_states(std::vector<std::string>& to, const std::string& look,
                const std::vector<std::string>& lines) {
  for (const auto& line : lines)
    if (is_state(line) && to.size() < states_max)
      to.push_back(entity(look, line));
}

recorded_attempt recorded(const std::string& instruction,
                          const attempt_log& attempt, bool apart) {
  recorded_attempt out;
  out.told = instruction;
  const auto view = view_of(instruction, attempt.steps);
  out.tags.assign(view.tools.begin(), view.tools.end());
  for (const auto& look : view.looks) {
    add_states(out.seen, look, view.first.at(look));
    add_states(out.ended, look, view.last.at(look));
  }
  const auto& grade = attempt.grade.front();
  if (grade.reward >= 1) {
    const auto text = recorded_case({{}, instruction, attempt.steps});
    for (const auto& one : read_recorded_case(text).rules)
      add_changes(out, one.content, true, apart);
    return out;
  }
  task_info task;
  task.instruction = instruction;
  job_context none;
  const auto seen =
      procedural_reflector{}.reflect({task, attempt.steps, grade}, {}, none);
  if (seen)
    for (const auto& one : *seen)
      add_changes(out, rule_of(one.fact), false, apart);
  return out;
}

} // namespace

result<memory_result>
procedural_recorder::perform(const memory_job& job,
                             const std::vector<std::string>&,
                             job_context&) const {
  if (job.step != comparator_steps::record || job.attempts.size() != 1
      || job.attempts.front().grade.size() != 1)
    return error{ec::invalid_argument,
                 fmt::format("{} has no step \"{}\" without a language model, "
                             "or it lacks its graded attempt",
                             job.learner, job.step)};
  memory_result out;
  out.id = job.id;
  out.texts = texts_of_attempt(recorded(text_in(job, comparator_texts::task),
                                        job.attempts.front(),
                                        job.learner == comparators::cognee));
  return out;
}

} // namespace brewery
