#pragma once
/// `brewery ui export`, below `brewery ui`.

#include "cli/commands.hpp"

namespace brewery {

void add_ui_export_command(CLI::App& ui, chosen_command& chosen);

} // namespace brewery
