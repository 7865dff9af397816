#pragma once
/// Concepts of a run that have no document.

#include "base/result.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace brewery {

/// Says of the one concept that `name` means (its number, or a part of its
/// title) why `documents` has none of it. `search` made them; `word` names
/// them, or their run, on a command line. Empty: they belong to no run that
/// formed such a concept, or several are meant.
std::optional<error> why_no_document(const std::filesystem::path& documents,
                                     const std::string& search,
                                     const std::string& name,
                                     const std::string& word);

} // namespace brewery
