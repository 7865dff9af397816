#include "kb/experience/from_document.hpp"

#include "base/text.hpp"

namespace brewery {

namespace {

constexpr std::string_view when_to_use = "**When to use";

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
  if (auto same = read_experience(body)) return same;
  experience out;
  out.domain = domain;
  bool problem = false;
  for (const auto raw : split(body, '\n')) {
    const auto line = trim(raw);
    if (line.empty()) continue;
    if (line.starts_with("# ") && out.title.empty()) {
      out.title = trim(line.substr(2));
    } else if (line.starts_with(when_to_use)) {
      problem = true;
      if (const auto rest = behind_colon(line); !rest.empty())
        out.problem.emplace_back(rest);
    } else if (line.starts_with('#') || line.starts_with("**")) {
      problem = false;
    } else if (const auto item = listed(line); item.empty()) {
      if (problem) out.problem.emplace_back(line);
    } else if (item.starts_with("Done when ")) {
      out.goal.emplace_back(item);
    } else {
      (problem ? out.problem : out.steps).emplace_back(item);
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
