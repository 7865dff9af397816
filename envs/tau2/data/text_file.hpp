#pragma once
/// Whole text files, read in one go.

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace brewery::tau2 {

struct text_file {
  std::string name; ///< for error texts
  std::string text;
};

/// Errors ec::not_found or ec::io, naming the file.
result<text_file> read_text_file(const std::filesystem::path& path);

} // namespace brewery::tau2
