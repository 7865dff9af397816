#pragma once
/// Tells whether the files of a run have changed.

#include <filesystem>
#include <string>

namespace brewery::web {

/// Size and time of the files that a run's overview and figures are read from;
/// equal ones mean that nothing was written.
std::string stamp_of_run(const std::filesystem::path& run);

} // namespace brewery::web
