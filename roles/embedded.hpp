#pragma once
/// The text files that are compiled in: config/prompts/*.md and
/// config/rubrics/*.toml, so that the program needs no files of its own at run
/// time. The definitions are made by cmake/embed_text.cmake.

#include "base/embedded_text.hpp"

#include <vector>

namespace brewery {

/// By name.
const std::vector<embedded_text>& embedded_prompts();
const std::vector<embedded_text>& embedded_rubrics();

} // namespace brewery
