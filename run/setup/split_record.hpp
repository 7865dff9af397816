#pragma once
/// Records which tasks a run learns from, scores on and tests on, if the
/// benchmark draws them. The file is for people, and ensures that a resumed run
/// uses the same tasks.

#include "run/setup/problem.hpp"

#include <filesystem>

namespace brewery {

/// Writes tasks.json to the run's directory, or compares with the file there.
/// Error ec::version_mismatch if they differ.
result<void> record_split(const std::filesystem::path& run,
                          const problem& what);

} // namespace brewery
