#include "report/rollout_text.hpp"

#include "base/printable.hpp"
#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "envs/environment.hpp"
#include "llm/accounts/reply_notes.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

constexpr const char* margin = "       ";

/// Each line of the text behind the margin.
std::string indented(std::string_view text) {
  std::string out;
  for (const auto line : split(trim(text), '\n'))
    out += margin + printable(line) + '\n';
  return out;
}

/// `{"a": 1, "b": "x"}` as `a=1, b="x"`; other text as it is.
std::string arguments_text(const std::string& arguments) {
  const auto parsed = json::parse(arguments, nullptr, false);
  if (!parsed.is_object()) return arguments;
  std::vector<std::string> parts;
  for (const auto& [name, value] : parsed.items())
    parts.push_back(
        name + '='
        + value.dump(-1, ' ', false, json::error_handler_t::replace));
  return join(parts, ", ");
}

std::string outcome_text(const rollout_result& rollout) {
  switch (rollout.outcome) {
  case rollout_outcome::graded:
    return fmt::format("{}, grade {:.3f}",
                       rollout.grade.reward >= 1 - 1e-6 ? "solved"
                                                        : "not solved",
                       rollout.grade.reward);
  case rollout_outcome::environment_error:
    return "no grade: the environment failed";
  case rollout_outcome::quarantined:
    return "no grade: given up";
  }
  return "";
}

std::string head_text(const found_rollout& found, bool colour) {
  const auto& rollout = found.rollout;
  std::string out;
  const auto row = [&](const char* name, const std::string& value) {
    if (!value.empty())
      out += fmt::format("{:<8} {}\n", name, printable(value));
  };
  row("task", rollout.task.value);
  row("trial", std::to_string(rollout.trial + 1));
  row("under", found.arm.empty() ? "the search" : found.arm);
  row("rollout", rollout.id.value);
  if (!rollout.reused_from.empty())
    row("reused", "not played: " + rollout.reused_from
                      + " stands for it, whose agent read the same");
  row("time",
      fmt::format("{:.3f} s", static_cast<double>(rollout.duration_us) * 1e-6));
  row("error", rollout.error);
  const bool solved = rollout.grade.reward >= 1 - 1e-6;
  return out + "outcome  "
         + styled(outcome_text(rollout), solved ? style::green : style::red,
                  colour)
         + '\n';
}

std::string retrieval_text(const found_rollout& found,
                           const retrieval_record& asked, bool colour) {
  auto out = margin
             + styled(fmt::format("reads {} for: {}",
                                  counted(asked.documents.size(), "document"),
                                  single_line(asked.query)),
                      style::cyan, colour)
             + '\n';
  for (const auto& hash : asked.documents) {
    const auto title = found.titles.find(hash);
    out += fmt::format("{}- {}{}\n", margin, hash.value.substr(0, 8),
                       title == found.titles.end()
                           ? std::string{}
                           : "  " + printable(title->second));
  }
  return out;
}

std::string step_text(std::size_t number, const trajectory_step& step,
                      bool colour) {
  const auto who = step.requestor == "user" ? "user: " : "";
  if (step.tool == words_tool)
    return fmt::format("{:>5}  {}says\n", number, who)
           + indented(step.observation);
  auto out = fmt::format("{:>5}  {}", number, who)
             + styled(printable(step.tool + '(' + arguments_text(step.arguments)
                                + ')'),
                      style::bold, colour);
  if (!step.reason.empty())
    out += styled("  [" + single_line(step.reason) + ']', style::dim, colour);
  if (step.failed) out += styled("  failed", style::red, colour);
  return out + '\n' + indented(step.observation);
}

std::string grade_text(const grade_report& grade, bool colour) {
  if (grade.parts.empty()) return {};
  std::string out = "\nchecks\n";
  for (const auto& part : grade.parts)
    out += (part.met ? styled("  met     ", style::green, colour)
                     : styled("  not met ", style::red, colour))
           + printable(part.name) + '\n';
  return out;
}

} // namespace

std::string rollout_text(const found_rollout& found, bool colour) {
  const auto& rollout = found.rollout;
  auto out = head_text(found, colour) + '\n';
  auto asked = rollout.retrievals.begin();
  const auto read_before = [&](std::size_t steps) {
    for (; asked != rollout.retrievals.end() && asked->step <= steps; ++asked)
      out += retrieval_text(found, *asked, colour);
  };
  for (std::size_t i = 0; i < rollout.steps.size(); ++i) {
    read_before(i);
    out += step_text(i + 1, rollout.steps[i], colour);
  }
  read_before(std::size_t{0} - 1);
  if (rollout.steps.empty() && rollout.retrievals.empty())
    out += "the agent did nothing\n";
  out += grade_text(rollout.grade, colour);
  for (const auto& rating : rollout.ratings)
    out += fmt::format("rubric {}: {:.2f} {}\n", printable(rating.rubric),
                       rating.score, single_line(rating.reason));
  for (const auto& note : rollout.notes)
    out += "note " + note_text(note) + '\n';
  return out;
}

nlohmann::ordered_json rollout_json(const found_rollout& found) {
  auto out = nlohmann::ordered_json::object();
  out["arm"] = found.arm;
  out["titles"] = nlohmann::ordered_json::object();
  for (const auto& asked : found.rollout.retrievals)
    for (const auto& hash : asked.documents)
      if (const auto title = found.titles.find(hash);
          title != found.titles.end())
        out["titles"][hash.value] = title->second;
  auto rollout = found.rollout;
  // Workbooks are no text; `brewery regrade --answers` writes them.
  rollout.answers.clear();
  out["rollout"] = as_json(rollout);
  return out;
}

} // namespace brewery
