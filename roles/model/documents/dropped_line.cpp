#include "roles/model/documents/dropped_line.hpp"

#include "base/text.hpp"
#include "roles/model/documents/fact_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace brewery {

namespace {

bool is_fence(std::string_view line) {
  return trim(line).starts_with("```");
}

/// What follows "Dropped:" in a line that begins so, with or without marks.
std::optional<std::string> named_by(std::string_view line) {
  constexpr std::string_view name = "dropped";
  line = without_list_mark(line);
  const auto first = line.find_first_not_of("*_ ");
  if (first == line.npos || lower(line.substr(first, name.size())) != name)
    return std::nullopt;
  auto rest = line.substr(first + name.size());
  const auto colon = rest.find_first_not_of("*_ ");
  if (colon == rest.npos || rest[colon] != ':') return std::nullopt;
  rest.remove_prefix(colon + 1);
  while (rest.starts_with('*') || rest.starts_with('_'))
    rest.remove_prefix(1);
  return std::string{trim(rest)};
}

/// The reply without line `at` and the items after it, which it names.
told_document without_line(const std::vector<std::string_view>& lines,
                           std::size_t at, const std::string& named) {
  told_document out;
  std::vector<std::string> left;
  out.dropped = named;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (i < at || is_fence(lines[i]))
      left.emplace_back(lines[i]);
    else if (i > at)
      out.dropped.append("\n").append(lines[i]);
  out.document = join(left, "\n");
  return out;
}

} // namespace

told_document take_dropped(std::string_view reply) {
  told_document out{std::string{reply}, {}};
  auto lines = split(reply, '\n');
  const bool wrapped = is_fence(trim(reply).substr(0, 3));
  bool fence = false; // the closing one was passed
  std::size_t items = 0;
  for (auto at = lines.size(); at-- > 0;) {
    const auto line = trim(lines[at]);
    if (line.empty()) continue;
    if (wrapped && !fence && items == 0 && line == "```") {
      fence = true;
      continue;
    }
    const auto named = named_by(line);
    if (named && (items == 0 || named->empty())) {
      const auto fences = std::count_if(
          lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(at),
          is_fence);
      // In a block of code it is code.
      if (fences % 2 != (fence ? 1 : 0)) return out;
      return without_line(lines, at, *named);
    }
    if (without_list_mark(line).size() == line.size()) return out;
    ++items;
  }
  return out;
}

std::set<std::uint64_t> named_insights(std::string_view dropped) {
  constexpr std::size_t max_digits = 9;
  std::set<std::uint64_t> out;
  for (const auto& word : words_of(dropped)) {
    if (word.size() < 2 || word.size() > max_digits + 1 || word[0] != 'i'
        || word.find_first_not_of("0123456789", 1) != std::string::npos)
      continue;
    out.insert(std::stoull(word.substr(1)));
  }
  return out;
}

} // namespace brewery
