#pragma once
/// Finds the brackets of JSON text before it is parsed. Parsers, and code that
/// walks their results, recurse as deep as the text nests. Pure.

#include <cstddef>
#include <string_view>

namespace brewery {

/// No valid reply nests deeper, and recursive code would need more stack.
inline constexpr std::size_t json_depth_most = 64;

/// The position of the next {, }, [ or ] outside of strings. `from` must be
/// outside of strings. Returns text.size() if there is none.
std::size_t next_bracket(std::string_view text, std::size_t from);

constexpr bool opens(char bracket) {
  return bracket == '{' || bracket == '[';
}

/// The maximum nesting of brackets outside of strings. An upper bound if the
/// text is not JSON, which the parser refuses.
std::size_t json_depth(std::string_view text);

} // namespace brewery
