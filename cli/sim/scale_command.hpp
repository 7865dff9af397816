#pragma once
/// `brewery sim --workers N --slots S`: how far one coordinator reaches.

#include <CLI/CLI.hpp>

#include <functional>

namespace brewery {

/// Adds the options. The result is set if one of the two that choose this is
/// given, and runs it.
std::function<std::function<int(bool as_json)>()>
add_scale_options(CLI::App& command);

} // namespace brewery
