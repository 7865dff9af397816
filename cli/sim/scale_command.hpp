#pragma once
/// `brewery sim --workers N --slots S`: how far one coordinator reaches.

#include <CLI/CLI.hpp>

#include <functional>
#include <vector>

namespace brewery {

/// Adds the options. The result is set if one of the two that choose this is
/// given, and runs it. Throws CLI::ValidationError if an option was given that
/// has no effect; of the others these are `without` it.
std::function<std::function<int(bool as_json)>()>
add_scale_options(CLI::App& command, const std::vector<CLI::Option*>& without);

} // namespace brewery
