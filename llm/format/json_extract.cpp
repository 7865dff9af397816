// Finds the JSON in a model's text.

#include "base/text.hpp"
#include "llm/format/json_schema.hpp"
#include "llm/format/json_text.hpp"
#include "messages/json_brackets.hpp"

#include <algorithm>
#include <vector>

namespace brewery {

namespace {

/// Limit of tried openings. Each one is read to its end, so a text of only
/// brackets would take quadratic time.
constexpr std::size_t openings_most = 64;

std::string_view without_thoughts(std::string_view text) {
  text = trim(text);
  constexpr std::string_view end = "</think>";
  if (!text.starts_with("<think>")) return text;
  const auto at = text.find(end);
  return at == std::string_view::npos ? text
                                      : trim(text.substr(at + end.size()));
}

/// Adds the content of code fences, without the word after the opening fence.
void add_fenced(std::string_view text, std::vector<std::string_view>& out) {
  constexpr std::string_view fence = "```";
  std::size_t at = text.find(fence);
  while (at != std::string_view::npos && out.size() < openings_most) {
    const auto line_end = text.find('\n', at);
    if (line_end == std::string_view::npos) return;
    const auto close = text.find(fence, line_end);
    if (close == std::string_view::npos) return;
    out.push_back(trim(text.substr(line_end, close - line_end)));
    at = text.find(fence, close + fence.size());
  }
}

/// Length of the object or list at the start of `text`; 0 if it does not end.
std::size_t balanced(std::string_view text) {
  std::size_t depth = 0;
  for (auto at = next_bracket(text, 0); at < text.size();
       at = next_bracket(text, at + 1)) {
    if (opens(text[at]))
      ++depth;
    else if (--depth == 0)
      return at + 1;
  }
  return 0;
}

/// Adds objects and lists in the text that are not nested. Objects come first,
/// because brackets are common in prose.
void add_embedded(std::string_view text, char opening,
                  std::vector<std::string_view>& out) {
  std::size_t tried = 0;
  auto at = text.find(opening);
  while (at != std::string_view::npos && tried++ < openings_most) {
    const auto length = balanced(text.substr(at));
    if (length > 0) out.push_back(text.substr(at, length));
    at = text.find(opening, at + std::max<std::size_t>(length, 1));
  }
}

} // namespace

result<std::string> extract_json(std::string_view text,
                                 const json_schema& schema) {
  const auto answer = without_thoughts(text);
  if (schema.check(answer)) return std::string{answer};
  std::vector<std::string_view> candidates;
  add_fenced(answer, candidates);
  add_embedded(answer, '{', candidates);
  add_embedded(answer, '[', candidates);
  for (const auto candidate : candidates)
    if (schema.check(candidate)) return std::string{candidate};
  if (candidates.empty())
    return error{ec::malformed,
                 "the reply holds no JSON; expected an object that follows the "
                 "schema and nothing else"};
  // Report on the whole text if it starts like JSON, else on the last object.
  const auto whole = schema.check(answer);
  if (answer.starts_with('{') || answer.starts_with('[')) return whole.error();
  std::vector<std::string_view> objects;
  add_embedded(answer, '{', objects);
  return schema.check(objects.empty() ? candidates.back() : objects.back())
      .error();
}

} // namespace brewery
