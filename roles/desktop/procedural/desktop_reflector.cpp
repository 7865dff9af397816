#include "roles/desktop/procedural/desktop_reflector.hpp"

#include "base/text.hpp"
#include "messages/json.hpp"
#include "roles/desktop/procedural/desktop_policy.hpp"
#include "roles/desktop/procedural/moves.hpp"
#include "roles/procedural/procedural_reflector.hpp"

#include <fmt/format.h>

namespace brewery::desktop {

namespace {

constexpr std::string_view unchanged = "(nothing changed)";
constexpr std::size_t most_moves = 24;

struct made_move {
  std::string text, place;
  std::uint32_t step = 0;
};

/// The moves of an attempt, generalised, in order.
std::vector<made_move> moves_of(const graded_attempt& attempt,
                                const task_terms& task) {
  std::vector<made_move> out;
  for (std::uint32_t i = 0; i < attempt.steps.size(); ++i) {
    const auto& step = attempt.steps[i];
    const auto told = json::parse(step.arguments, nullptr, false);
    if (!told.is_object() || !told.contains(move_member)
        || !told[move_member].is_string())
      continue;
    const auto move = parse_call(told[move_member].get<std::string>());
    if (!move || out.size() == most_moves) continue;
    const bool idle = move->tool == "press"
                      && step.observation.find(unchanged) != std::string::npos;
    if (idle) continue;
    out.push_back({to_text(generalised(*move, task)),
                   told.value(place_member, std::string{}), i});
  }
  return out;
}

std::string words_of(const task_terms& task) {
  std::string out;
  for (const auto& word : task.words)
    out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string application_in(std::string_view place) {
  constexpr std::string_view lead = "application: ";
  if (place.starts_with(lead)) place.remove_prefix(lead.size());
  return place.empty() || place == no_application ? "no application"
                                                  : std::string{place};
}

} // namespace

result<std::vector<insight>>
procedural_desktop_reflector::reflect(const graded_attempt& attempt,
                                      const std::vector<rubric_rating>&,
                                      job_context&) const {
  const auto task = terms_of(attempt.task.instruction);
  const auto moves = moves_of(attempt, task);
  if (moves.empty()) return std::vector<insight>{};
  insight out;
  std::vector<std::string> texts;
  std::string listed;
  for (const auto& move : moves) {
    texts.push_back(move.text);
    listed += (listed.empty() ? "`" : ", then `") + move.text + "`";
    out.steps.push_back(move.step);
  }
  out.fact.kind = moves_fact;
  out.fact.observation = screen_call;
  out.fact.before = std::vector{moves.front().place};
  out.fact.actions = std::move(texts);
  out.fact.context =
      std::vector<std::string>{task.words.begin(), task.words.end()};
  out.fact.check = whole_task_check;
  out.fact.met = attempt.grade.reward >= 1.0;
  out.topic = "tasks in " + application_in(moves.front().place);
  out.sentence =
      fmt::format("In {}, for a task with the words {}: {} {} the task.",
                  json_quoted(moves.front().place), json_quoted(words_of(task)),
                  listed, out.fact.met ? "met" : "missed");
  out.id = identity(out);
  return std::vector{std::move(out)};
}

} // namespace brewery::desktop
