#include "messages/json_brackets.hpp"

#include <algorithm>

namespace brewery {

std::size_t next_bracket(std::string_view text, std::size_t from) {
  bool quoted = false;
  for (; from < text.size(); ++from) {
    const char c = text[from];
    if (quoted && c == '\\')
      ++from;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (opens(c) || c == '}' || c == ']'))
      return from;
  }
  return text.size();
}

std::size_t json_depth(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (auto at = next_bracket(text, 0); at < text.size();
       at = next_bracket(text, at + 1)) {
    if (opens(text[at]))
      deepest = std::max(deepest, ++depth);
    else if (depth > 0)
      --depth;
  }
  return deepest;
}

} // namespace brewery
