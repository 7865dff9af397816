#pragma once
/// The text files that are compiled in: config/prompts/*.md and
/// config/rubrics/*.toml. The program needs no such files at run time.
/// cmake/embed_text.cmake generates the definitions.

#include "base/embedded_text.hpp"

#include <vector>

namespace brewery {

/// Ordered by name.
const std::vector<embedded_text>& embedded_prompts();
const std::vector<embedded_text>& embedded_rubrics();

} // namespace brewery
