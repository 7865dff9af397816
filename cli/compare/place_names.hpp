#pragma once
/// Which runs and sweeps the words of a command line name.

#include "report/compare/run_groups.hpp"

namespace brewery {

/// A sweep by its directory; a run by its id below `runs_dir`, or its
/// directory.
run_places places_below(const std::filesystem::path& runs_dir);

} // namespace brewery
