#pragma once
/// The services of spreadsheet episodes: Python modules that are embedded and
/// written out before they are started. cmake/embed_text.cmake generates the
/// definition of python_modules.

#include "base/embedded_text.hpp"
#include "base/result.hpp"

#include <filesystem>
#include <vector>

namespace brewery::spreadsheet {

/// Sorted by name.
const std::vector<embedded_text>& python_modules();

/// Writes them as DIRECTORY/NAME.py, readable by everybody: a service that
/// changes its user must still import them.
result<void> write_python_modules(const std::filesystem::path& directory);

/// Hash of all modules: every result depends on them.
std::string python_modules_hash();

} // namespace brewery::spreadsheet
