#pragma once
/// Which tasks a run learns from, scores on and tests on, as a file beside its
/// log, where a benchmark draws them: to be read, and to be sure that a resumed
/// run goes on with the same ones.

#include "apps/problem.hpp"

#include <filesystem>

namespace brewery {

/// Writes tasks.json in the run's directory, or compares with the one there.
/// ec::version_mismatch when they differ.
result<void> record_split(const std::filesystem::path& run,
                          const problem& what);

} // namespace brewery
