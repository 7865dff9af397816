#pragma once
/// Tells whether files of a run have changed: size and time of each; equal
/// ones mean that nothing was written.

#include <filesystem>
#include <string>

namespace brewery::web {

/// Of those that a run's overview and figures are read from.
std::string stamp_of_run(const std::filesystem::path& run);
/// Of its log alone.
std::string stamp_of_log(const std::filesystem::path& run);

} // namespace brewery::web
