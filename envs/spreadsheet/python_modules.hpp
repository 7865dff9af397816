#pragma once
/// The services of spreadsheet episodes: Python modules, compiled in and
/// written out before they are started. The definition of python_modules is
/// made by cmake/embed_text.cmake.

#include "base/embedded_text.hpp"
#include "base/result.hpp"

#include <filesystem>
#include <vector>

namespace brewery::spreadsheet {

/// By name.
const std::vector<embedded_text>& python_modules();

/// As DIRECTORY/NAME.py, readable by everybody: a service that gives up its
/// user still imports them.
result<void> write_python_modules(const std::filesystem::path& directory);

/// Of all of them: what they compute is part of every result.
std::string python_modules_hash();

} // namespace brewery::spreadsheet
