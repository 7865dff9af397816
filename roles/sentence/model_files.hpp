#pragma once
/// The files of a sentence model: the model and, beside it, the tokenizer and
/// the settings, as sentence-transformers keeps them.

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace brewery::sentence {

/// A hash of all files that decide what the vectors are. Where they stand does
/// not count. The service computes the same of what it loads. Errors name
/// embedder.model_file.
result<std::string> files_identity(const std::filesystem::path& model);

/// An error that begins with the option and its value.
error about_option(ec code, std::string_view option, std::string_view value,
                   std::string_view what);

} // namespace brewery::sentence
