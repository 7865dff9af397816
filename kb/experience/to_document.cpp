#include "kb/experience/to_document.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

void add_listed(std::string& out, std::string_view heading,
                const std::vector<std::string>& items) {
  if (items.empty()) return;
  out += fmt::format("\n{}\n\n", heading);
  for (const auto& line : items)
    out += fmt::format("- {}\n", line);
}

} // namespace

std::string to_document(const experience& item) {
  auto out = fmt::format("# {}\n\n**When to use:** the task says or shows this"
                         "\n\n",
                         item.title);
  for (const auto& line : item.problem)
    out += fmt::format("- {}\n", line);
  out += "\n### How to perform\n\n";
  for (std::size_t i = 0; i < item.steps.size(); ++i)
    out += fmt::format("{}. {}\n", i + 1, item.steps[i]);
  add_listed(out, "### Additional actions", item.goal);
  std::vector<std::string> failures;
  for (const auto& mode : item.failures)
    failures.emplace_back(
        trim(fmt::format("{} => {}", mode.sign, mode.recovery)));
  add_listed(out, failures_heading, failures);
  return out;
}

} // namespace brewery
