#pragma once
/// `--realtime` of a coordinator and of a worker.

#include "cli/commands.hpp"

namespace brewery {

void add_realtime_option(CLI::App& command, bool& realtime);

} // namespace brewery
