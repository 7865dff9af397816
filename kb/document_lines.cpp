#include "kb/document_lines.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace brewery {

std::optional<section_opening> opening_of(std::string_view line) {
  line = trim(line);
  // "#1 first" is text.
  if (line == "#" || line.starts_with("# ") || line.starts_with("##"))
    return section_opening{
        trim(line.substr(std::min(line.find_first_not_of('#'), line.size()))),
        {}};
  if (!line.starts_with("**")) return std::nullopt;
  const auto end = line.find("**", 2);
  if (end == std::string_view::npos) return std::nullopt;
  const auto bold = line.substr(2, end - 2);
  auto rest = trim(line.substr(end + 2));
  const auto colon = bold.find(':');
  // "**When to use: at night**"
  const auto inside = colon == std::string_view::npos
                          ? std::string_view{}
                          : trim(bold.substr(colon + 1));
  const bool closed = rest.empty() || rest.starts_with(':')
                      || (colon != std::string_view::npos && inside.empty());
  if (!closed) return std::nullopt;
  if (rest.starts_with(':')) rest = trim(rest.substr(1));
  return section_opening{trim(bold.substr(0, colon)),
                         inside.empty() ? rest : inside};
}

namespace {

bool is_fence(std::string_view line) {
  return trim(line).starts_with("```");
}

} // namespace

code_blocks::code_blocks(std::string_view body) {
  for (const auto line : split(body, '\n'))
    marks_left_ += is_fence(line);
  marks_left_ -= marks_left_ % 2; // one that nothing ends begins no code
}

bool code_blocks::marks(std::string_view line) {
  if (marks_left_ == 0 || !is_fence(line)) return false;
  --marks_left_;
  inside_ = !inside_;
  return true;
}

std::string_view listed(std::string_view line) {
  line = trim(line);
  for (const std::string_view mark : {"- ", "* ", "+ "})
    if (line.starts_with(mark)) return trim(line.substr(mark.size()));
  const auto digits = line.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos) return {};
  line.remove_prefix(digits);
  return line.starts_with(". ") || line.starts_with(") ") ? trim(line.substr(2))
                                                          : std::string_view{};
}

} // namespace brewery
