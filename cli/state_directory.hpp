#pragma once
/// Where commands keep what outlives them and belongs to no run.

#include <filesystem>

namespace brewery {

/// $XDG_STATE_HOME/brewery, or ~/.local/state/brewery; without a home a folder
/// of the current directory. It need not exist.
std::filesystem::path state_directory();

} // namespace brewery
