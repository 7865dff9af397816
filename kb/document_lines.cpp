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
  auto title = line.substr(2, end - 2);
  auto rest = trim(line.substr(end + 2));
  const bool closed =
      title.ends_with(':') || rest.empty() || rest.starts_with(':');
  if (!closed) return std::nullopt;
  if (title.ends_with(':')) title.remove_suffix(1);
  if (rest.starts_with(':')) rest.remove_prefix(1);
  return section_opening{trim(title), trim(rest)};
}

bool code_blocks::marks(std::string_view line) {
  const bool mark = trim(line).starts_with("```");
  inside_ ^= mark;
  return mark;
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
