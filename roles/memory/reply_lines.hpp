#pragma once
/// Lists of lines in a reply. PURE.

#include "messages/json.hpp"

#include <string>
#include <vector>

namespace brewery {

/// The lines of a list in a reply: each single, at most `bytes` long and not
/// empty; no more than `most`.
std::vector<std::string> lines_in(const json& list, std::size_t bytes,
                                  std::size_t most);

} // namespace brewery
