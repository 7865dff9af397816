#pragma once
/// The text files that are compiled in: config/prompts/*.md and
/// config/rubrics/*.toml, so that the program needs no files of its own at run
/// time. The definitions are made by cmake/embed_text.cmake.

#include <string_view>
#include <vector>

namespace brewery {

struct embedded_text {
  std::string_view name; ///< of the file, without folder and extension
  std::string_view text;
};

/// By name.
const std::vector<embedded_text>& embedded_prompts();
const std::vector<embedded_text>& embedded_rubrics();

} // namespace brewery
