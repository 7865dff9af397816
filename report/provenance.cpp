#include "report/provenance.hpp"

#include "base/printable.hpp"
#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <map>

namespace brewery {

namespace {

constexpr std::size_t short_hash = 8;

std::map<std::uint32_t, const evidence_line*>
by_line(const manifest_document* about) {
  std::map<std::uint32_t, const evidence_line*> lines;
  if (about)
    for (const auto& line : about->evidence)
      lines[line.line] = &line;
  return lines;
}

/// The lines of a text. A final line end adds no empty line.
std::vector<std::string_view> lines_of(std::string_view body) {
  auto lines = split(body, '\n');
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

/// `reward 0: met "a", missed "b"`.
std::string grade_text(const grade_report& grade) {
  std::vector<std::string> parts;
  for (const bool met : {true, false})
    for (const auto& part : grade.parts)
      if (part.met == met)
        parts.push_back((met ? "met " : "missed ") + json_quoted(part.name));
  return fmt::format("reward {}{}{}", grade.reward, parts.empty() ? "" : ": ",
                     join(parts, ", "));
}

/// The rollouts of an insight, one line for each grade.
std::vector<std::string> grade_lines(const evidence_insight& item,
                                     const rollout_grades& grades) {
  std::map<std::string, std::vector<std::string>> by_grade;
  for (const auto& rollout : item.rollouts) {
    const auto grade = grades.find(rollout.job);
    by_grade[grade == grades.end() ? "grade not kept"
                                   : grade_text(grade->second)]
        .push_back(rollout.task.value + ' '
                   + rollout.job.value.substr(0, short_hash));
  }
  std::vector<std::string> out;
  for (const auto& [grade, rollouts] : by_grade)
    out.push_back(fmt::format("{}x {}: {}", rollouts.size(), grade,
                              join(rollouts, ", ")));
  if (item.count > item.rollouts.size())
    out.push_back(fmt::format("{}x not named in this manifest",
                              item.count - item.rollouts.size()));
  return out;
}

nlohmann::ordered_json grade_json(const grade_report& grade) {
  auto checks = nlohmann::ordered_json::array();
  for (const auto& part : grade.parts)
    checks.push_back({{"name", part.name}, {"met", part.met}});
  return {{"reward", grade.reward}, {"checks", std::move(checks)}};
}

nlohmann::ordered_json insights_json(const evidence_line& line,
                                     const rollout_grades& grades) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& item : line.insights) {
    auto rollouts = nlohmann::ordered_json::array();
    for (const auto& rollout : item.rollouts) {
      nlohmann::ordered_json entry{{"task", rollout.task.value},
                                   {"job", rollout.job.value}};
      if (const auto grade = grades.find(rollout.job); grade != grades.end())
        entry["grade"] = grade_json(grade->second);
      rollouts.push_back(std::move(entry));
    }
    out.push_back({{"id", item.id.value},
                   {"sentence", item.sentence},
                   {"count", item.count},
                   {"rollouts", std::move(rollouts)}});
  }
  return out;
}

} // namespace

std::string annotated(std::string_view body, const manifest_document& about,
                      const rollout_grades& grades, bool colour) {
  const auto evidence = by_line(&about);
  std::map<insight_id, std::uint32_t> shown; // the line that shows it
  std::string out;
  std::uint32_t number = 0;
  for (const auto line : lines_of(body)) {
    out += printable(line) + '\n';
    const auto found = evidence.find(++number);
    if (found == evidence.end()) continue;
    std::map<std::uint32_t, std::size_t> earlier;
    const auto add = [&](const std::string& text) {
      out += styled(printable(text), style::dim, colour) + '\n';
    };
    for (const auto& item : found->second->insights) {
      const auto [at, first] = shown.emplace(item.id, number);
      if (!first) {
        ++earlier[at->second];
        continue;
      }
      add(fmt::format("    <- {}x {}", item.count, item.sentence));
      for (const auto& grade : grade_lines(item, grades))
        add("       " + grade);
    }
    for (const auto& [where, count] : earlier)
      add(fmt::format("    <- {} {} shown at line {}", count,
                      count == 1 ? "insight" : "insights", where));
  }
  return out;
}

nlohmann::ordered_json lines_json(std::string_view body,
                                  const manifest_document* about,
                                  const rollout_grades& grades) {
  const auto evidence = by_line(about);
  auto out = nlohmann::ordered_json::array();
  std::uint32_t number = 0;
  for (const auto line : lines_of(body)) {
    nlohmann::ordered_json item{{"line", ++number}, {"text", line}};
    const auto found = evidence.find(number);
    if (found != evidence.end())
      item["insights"] = insights_json(*found->second, grades);
    out.push_back(std::move(item));
  }
  return out;
}

} // namespace brewery
