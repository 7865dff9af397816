#include "roles/procedural/recorded_case.hpp"

#include "base/json.hpp"
#include "base/text.hpp"
#include "roles/procedural/procedural_reflector.hpp"
#include "roles/procedural/status_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace brewery {

namespace {

constexpr std::string_view title = "# Record of a solved task\n\n";
constexpr std::string_view record_prefix = "{\"tool\":";

json as_line(const trajectory_step& step) {
  json out;
  out["tool"] = step.tool;
  out["by"] = step.requestor;
  out["arguments"] = step.arguments;
  out["answer"] = step.observation;
  out["failed"] = step.failed;
  out["may_change"] = step.mutates;
  return out;
}

std::optional<trajectory_step> step_of(std::string_view line) {
  const auto read = json::parse(line, nullptr, false);
  const auto text = [&](const char* key) -> const std::string* {
    const auto it = read.find(key);
    return it == read.end() ? nullptr : it->get_ptr<const std::string*>();
  };
  if (!read.is_object()) return std::nullopt;
  const auto *tool = text("tool"), *by = text("by"),
             *arguments = text("arguments"), *answer = text("answer");
  if (!tool || !by || !arguments || !answer) return std::nullopt;
  const auto says = [&](const char* key) {
    const auto it = read.find(key);
    return it != read.end() && *it == true;
  };
  return trajectory_step{
      *by, *tool, *arguments, *answer, says("failed"), says("may_change"), {}};
}

/// The attempt of a record, with the line of each step.
struct read_record {
  task_info task;
  std::vector<trajectory_step> steps;
  std::vector<std::uint32_t> lines;
};

read_record record_in(std::string_view body) {
  read_record out;
  if (!body.starts_with(title)) return out;
  std::uint32_t number = 0;
  for (const auto line : split(body, '\n')) {
    ++number;
    if (number <= 2) continue; // the title
    if (!line.starts_with(record_prefix)) {
      if (out.steps.empty()) (out.task.instruction += line) += '\n';
      continue;
    }
    auto step = step_of(line);
    if (!step) return {};
    out.steps.push_back(std::move(*step));
    out.lines.push_back(number);
  }
  return out;
}

/// The states of `some` that `others` do not have.
std::vector<std::string> states_only_in(const insight_fact::text_list& some,
                                        const insight_fact::text_list& others) {
  std::vector<std::string> out;
  for (const auto& line : some)
    if (is_state(line)
        && std::find(others.begin(), others.end(), line) == others.end())
      out.push_back(line);
  return out;
}

} // namespace

std::string recorded_case(const example_attempt& attempt) {
  auto out = fmt::format("{}{}\n\n", title, attempt.instruction);
  for (const auto& step : attempt.steps)
    out += as_line(step).dump(-1, ' ', false, json::error_handler_t::replace)
           + "\n";
  return out;
}

guidance read_recorded_case(std::string_view body) {
  guidance out;
  const auto record = record_in(body);
  const grade_report solved{1, {}};
  job_context none;
  const auto seen = procedural_reflector{}.reflect(
      {record.task, record.steps, solved}, {}, none);
  if (!seen) return out;
  std::map<std::string, insight_fact::text_list> at_the_start, at_the_end;
  for (const auto& one : *seen)
    if (one.fact.kind == "effect")
      at_the_start.try_emplace(one.fact.observation, one.fact.before);
    else
      at_the_end[one.fact.observation] = one.fact.after;
  for (const auto& one : *seen) {
    const auto& fact = one.fact;
    const auto end = at_the_end.find(fact.observation);
    if (fact.kind != "effect" || fact.actions.size() != 1
        || end == at_the_end.end())
      continue;
    const auto gone = states_only_in(fact.before, fact.after);
    const auto come = states_only_in(fact.after, fact.before);
    // What stands at the end, and did not before, is what the record is an
    // example of.
    const auto is_in = [](const insight_fact::text_list& lines) {
      return [&lines](const std::string& line) {
        return std::find(lines.begin(), lines.end(), line) != lines.end();
      };
    };
    const auto& start = at_the_start.at(fact.observation);
    if (gone.empty()
        || std::any_of(gone.begin(), gone.end(), is_in(end->second))
        || !std::all_of(come.begin(), come.end(), is_in(end->second))
        || std::any_of(come.begin(), come.end(), is_in(start)))
      continue;
    rule made;
    for (const auto& line : gone)
      made.when.push_back({fact.observation, line});
    made.calls = fact.actions.items();
    if (!come.empty()) made.expect = come.front();
    auto text = to_text(made);
    out.rules.push_back(
        {std::move(made), record.lines[one.steps.front()], std::move(text)});
  }
  return out;
}

} // namespace brewery
