#pragma once
/// Text files as Python's open() reads them, and the methods of `str` that the
/// official metrics use. Pure.

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery::osworld {

/// open(path).read(): UTF-8, with "\r\n" and "\r" as "\n". Error ec::malformed:
/// the bytes are not UTF-8.
result<std::string> py_read_text(std::string_view bytes);

/// The lines that a loop over the file gives, each with its "\n".
std::vector<std::string_view> py_file_lines(std::string_view text);

/// str.splitlines(): without the ends, of which there are ten kinds.
std::vector<std::string> py_splitlines(std::string_view text);

std::string_view py_strip(std::string_view text); ///< str.strip()
/// str.split() without a separator.
std::vector<std::string_view> py_words(std::string_view text);
std::string py_lower(std::string_view text); ///< str.lower()

} // namespace brewery::osworld
