#pragma once
/// A knowledge base as plain Markdown: one file per document, its bytes and
/// nothing else. `read_knowledge_base` reads such a folder in the same order,
/// so what is exported and read again is the same, byte for byte.

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brewery {

/// Writes the bodies to `dir` as "00-TITLE.md", ..., in their order, with as
/// many digits as the last one needs. A body begins with a heading. Error
/// ec::already_exists: `dir` exists and is not empty. Errors ec::disk_full and
/// ec::io leave no files behind.
result<void> export_markdown(const std::filesystem::path& dir,
                             const std::vector<std::string>& bodies);

} // namespace brewery
