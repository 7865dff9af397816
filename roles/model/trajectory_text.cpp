#include "roles/model/trajectory_text.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/model/reply_text.hpp"
#include "roles/model/tool_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brewery {

namespace {

struct end_token {
  std::string_view token;
  std::string_view of_user; ///< what a user means who says it
};

/// With these words a conversation of tau2-bench ends. An agent that works
/// alone says the first when it calls `done`.
constexpr std::array end_tokens{
    end_token{"###STOP###", "ended the conversation"},
    end_token{"###TRANSFER###",
              "ended the conversation: handed over to a person"},
    end_token{"###OUT-OF-SCOPE###",
              "ended the conversation: the scenario says no more"}};

std::string cut(std::string_view text, const step_text_limits& limits) {
  return limits.both_ends ? excerpt_of_ends(text, limits.observation_bytes)
                          : excerpt(text, limits.observation_bytes);
}

std::string words_text(const trajectory_step& step, std::size_t number,
                       const step_text_limits& limits) {
  auto words = step.observation;
  std::string_view ending;
  for (const auto& end : end_tokens)
    if (words.find(end.token) != std::string::npos) {
      words = replace_all(words, end.token, "");
      ending = step.requestor == "user" ? end.of_user : "ended its work";
    }
  words = cut(trim(words), limits);
  if (ending.empty())
    return fmt::format("[{}] {} said: {}\n", number, step.requestor, words);
  if (words.empty())
    return fmt::format("[{}] {} {}\n", number, step.requestor, ending);
  return fmt::format("[{}] {} said: {}\n    and {}\n", number, step.requestor,
                     words, ending);
}

bool ends_work(const trajectory_step& step,
               const std::vector<tool_spec>* tools) {
  return tools != nullptr && !step.failed
         && std::any_of(tools->begin(), tools->end(), [&](const auto& tool) {
              return tool.kind == tool_kind::finish && tool.name == step.tool;
            });
}

std::string step_text(const trajectory_step& step, std::size_t number,
                      const step_text_limits& limits,
                      const std::vector<tool_spec>* tools) {
  if (step.tool == words_tool) return words_text(step, number, limits);
  const auto answer = cut(step.observation, limits);
  std::string out =
      fmt::format("[{}] {} called {} with {}\n", number, step.requestor,
                  step.tool, excerpt(step.arguments, limits.argument_bytes));
  out +=
      fmt::format("    {}: {}\n", step.failed ? "it failed" : "answer", answer);
  if (ends_work(step, tools)) out += "    and ended its work\n";
  return out;
}

} // namespace

std::string steps_text(const std::vector<trajectory_step>& steps,
                       step_text_limits limits,
                       const std::vector<tool_spec>* tools) {
  if (steps.empty()) return "(no step was made)\n";
  std::string out;
  for (std::size_t i = 0; i < steps.size(); ++i)
    out += step_text(steps[i], i, limits, tools);
  return out;
}

namespace {

/// An agent to whom a user speaks first knows what the user said.
bool begins_with_user(const std::vector<trajectory_step>& steps) {
  return !steps.empty() && steps.front().tool == words_tool
         && steps.front().requestor == "user";
}

} // namespace

slot_texts attempt_texts(const graded_attempt& attempt) {
  const auto& task = attempt.task;
  const bool told =
      !task.instruction.empty() && !begins_with_user(attempt.steps);
  slot_texts out{{"briefing", {attempt.briefing}},
                 {"task", {told ? task.instruction : std::string{}}},
                 {"wish", {told ? std::string{} : task.about()}},
                 {"documents", attempt.documents},
                 {"steps", {steps_text(attempt.steps, {}, attempt.tools)}}};
  if (attempt.tools != nullptr) out["tools"] = {tools_text(*attempt.tools)};
  return out;
}

std::string concepts_text(const graded_attempt& attempt) {
  std::string out;
  for (const auto& title : attempt.concepts)
    out += "- " + lower(title) + "\n";
  return out;
}

std::string grade_text(const grade_report& grade) {
  std::string out = fmt::format("reward {} of 1 ({})\n", grade.reward,
                                grade.reward >= 1 ? "success" : "failure");
  for (const auto& part : grade.parts)
    out += fmt::format("- {}: {}\n", part.met ? "met" : "NOT met", part.name);
  return out;
}

std::string ratings_text(const std::vector<rubric_rating>& ratings) {
  std::string out;
  for (const auto& rating : ratings)
    out += fmt::format("- {}: {} ({})\n", rating.rubric, rating.score,
                       rating.reason);
  return out;
}

std::string numbered(const std::vector<std::string>& items) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i)
    out += fmt::format("{}. {}\n", i + 1, items[i]);
  return out;
}

} // namespace brewery
