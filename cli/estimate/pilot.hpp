#pragma once
/// A small run that measures what a large one would cost: two train tasks, once
/// each, and first documents from them. It stays in the runs directory, with
/// its recorded calls, and its cost counts against the budget of the
/// configuration alone.

#include "base/result.hpp"
#include "config/config.hpp"

#include <filesystem>

namespace brewery {

/// The options of the pilot for a run with these options.
config pilot_options(config options);

/// Makes the pilot of a run with these options and returns its directory. Error
/// ec::cancelled if it was interrupted.
result<std::filesystem::path> make_pilot(const config& options);

} // namespace brewery
