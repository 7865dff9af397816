#pragma once
/// Small helpers on UTF-8 text that more than one module needs.

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// ASCII white space off both ends.
std::string_view trim(std::string_view text);

/// Parts between separators, empty parts kept.
std::vector<std::string_view> split(std::string_view text, char separator);
std::vector<std::string_view> split(std::string_view text,
                                    std::string_view separator);

/// ASCII letters only; other bytes are kept.
std::string lower(std::string_view text);

std::string join(const std::vector<std::string>& parts,
                 std::string_view separator);

std::string replace_all(std::string text, std::string_view from,
                        std::string_view to);

/// Candidate with the smallest Levenshtein distance to `word`, or empty when
/// none is near enough to be a likely misspelling (a third of its length + 1).
std::string nearest(std::string_view word,
                    const std::vector<std::string>& candidates);

} // namespace brewery
