#include "report/provenance.hpp"

#include "base/printable.hpp"
#include "base/terminal_text.hpp"
#include "base/text.hpp"

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

std::string rollouts_text(const evidence_insight& item) {
  std::vector<std::string> parts;
  for (const auto& rollout : item.rollouts)
    parts.push_back(rollout.task.value + ' '
                    + rollout.job.value.substr(0, short_hash));
  if (item.count > item.rollouts.size()) parts.push_back("...");
  return parts.empty() ? "" : " (" + join(parts, ", ") + ')';
}

nlohmann::ordered_json insights_json(const evidence_line& line) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& item : line.insights) {
    auto rollouts = nlohmann::ordered_json::array();
    for (const auto& rollout : item.rollouts)
      rollouts.push_back(
          {{"task", rollout.task.value}, {"job", rollout.job.value}});
    out.push_back({{"id", item.id.value},
                   {"sentence", item.sentence},
                   {"count", item.count},
                   {"rollouts", std::move(rollouts)}});
  }
  return out;
}

} // namespace

std::string annotated(std::string_view body, const manifest_document& about,
                      bool colour) {
  const auto evidence = by_line(&about);
  std::string out;
  std::uint32_t number = 0;
  for (const auto line : lines_of(body)) {
    out += printable(line) + '\n';
    const auto found = evidence.find(++number);
    if (found == evidence.end()) continue;
    for (const auto& item : found->second->insights)
      out += styled(fmt::format("    <- {}x {}{}", item.count,
                                printable(item.sentence),
                                printable(rollouts_text(item))),
                    style::dim, colour)
             + '\n';
  }
  return out;
}

nlohmann::ordered_json lines_json(std::string_view body,
                                  const manifest_document* about) {
  const auto evidence = by_line(about);
  auto out = nlohmann::ordered_json::array();
  std::uint32_t number = 0;
  for (const auto line : lines_of(body)) {
    nlohmann::ordered_json item{{"line", ++number}, {"text", line}};
    const auto found = evidence.find(number);
    if (found != evidence.end())
      item["insights"] = insights_json(*found->second);
    out.push_back(std::move(item));
  }
  return out;
}

} // namespace brewery
