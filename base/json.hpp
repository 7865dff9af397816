#pragma once
/// The one definition of `json` in this project.

#include <nlohmann/json.hpp>

namespace brewery {

/// Key order matters: look-ups go in file order, and texts repeat it. Bodies
/// for and from model servers are `sorted_json` (llm/format/json_text.hpp).
using json = nlohmann::ordered_json;

} // namespace brewery
