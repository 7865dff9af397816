#include "kb/experience/from_document.hpp"

#include "base/text.hpp"
#include "kb/experience/to_document.hpp"

#include <algorithm>

namespace brewery {

namespace {

constexpr std::string_view when_to_use = "**When to use";
/// What stands there if nothing but the list below says when.
constexpr std::string_view of_an_experience = "the task says or shows this";

enum class part : std::uint8_t { other, problem, failures };

/// Whether somebody meant it to be an experience: then a slip in it must not
/// make steps of its characteristics.
bool means_experience(std::string_view body) {
  std::size_t headings = 0;
  for (const auto line : split(body, '\n'))
    if (const auto text = trim(line); text.starts_with("## "))
      headings += std::ranges::count(experience_parts, text.substr(3));
  return headings >= 3; // other documents have a goal and steps, too
}

failure_mode failure_in(std::string_view item) {
  constexpr std::string_view leads_to = "=>";
  const auto at = item.find(leads_to);
  if (at == std::string_view::npos) return {std::string{item}, ""};
  return {std::string{trim(item.substr(0, at))},
          std::string{trim(item.substr(at + leads_to.size()))}};
}

/// The line without a list's mark; empty: it has none.
std::string_view listed(std::string_view line) {
  if (line.starts_with("- ")) return trim(line.substr(2));
  const auto digits = line.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos) return {};
  line.remove_prefix(digits);
  return line.starts_with(". ") ? trim(line.substr(2)) : std::string_view{};
}

/// What stands behind "**When to use:**" on its line.
std::string_view behind_colon(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  line.remove_prefix(colon + 1);
  while (line.starts_with('*') || line.starts_with(' '))
    line.remove_prefix(1);
  return trim(line);
}

} // namespace

result<experience> experience_of(std::string_view body,
                                 const std::string& domain) {
  if (auto same = read_experience(body); same || means_experience(body))
    return same;
  experience out;
  out.domain = domain;
  part in = part::other;
  for (const auto raw : split(body, '\n')) {
    const auto line = trim(raw);
    if (line.empty()) continue;
    if (line.starts_with("# ") && out.title.empty()) {
      out.title = trim(line.substr(2));
    } else if (line.starts_with(when_to_use)) {
      in = part::problem;
      if (const auto rest = behind_colon(line);
          !rest.empty() && rest != of_an_experience)
        out.problem.emplace_back(rest);
    } else if (line.starts_with('#') || line.starts_with("**")) {
      in = line == failures_heading ? part::failures : part::other;
    } else if (const auto item = listed(line); item.empty()) {
      if (in == part::problem) out.problem.emplace_back(line);
    } else if (in == part::failures) {
      out.failures.push_back(failure_in(item));
    } else if (item.starts_with("Done when ")) {
      out.goal.emplace_back(item);
    } else {
      (in == part::problem ? out.problem : out.steps).emplace_back(item);
    }
  }
  if (out.steps.empty())
    return error{ec::malformed, "there is no listed or numbered line in it "
                                "that could be a step"};
  if (out.title.empty()) out.title = "Imported";
  if (out.problem.empty()) out.problem.push_back(out.title);
  // Limits and forms are those of any experience.
  return read_experience(to_markdown(out));
}

} // namespace brewery
