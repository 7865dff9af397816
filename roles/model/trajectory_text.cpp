#include "roles/model/trajectory_text.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "envs/environment.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

std::string step_text(const trajectory_step& step, std::size_t number,
                      const step_text_limits& limits) {
  const auto answer = excerpt(step.observation, limits.observation_bytes);
  if (step.tool == words_tool)
    return fmt::format("[{}] {} said: {}\n", number, step.requestor, answer);
  std::string out =
      fmt::format("[{}] {} called {} with {}\n", number, step.requestor,
                  step.tool, excerpt(step.arguments, limits.argument_bytes));
  out +=
      fmt::format("    {}: {}\n", step.failed ? "it failed" : "answer", answer);
  return out;
}

} // namespace

std::string steps_text(const std::vector<trajectory_step>& steps,
                       step_text_limits limits) {
  if (steps.empty()) return "(no step was made)\n";
  std::string out;
  for (std::size_t i = 0; i < steps.size(); ++i)
    out += step_text(steps[i], i, limits);
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
