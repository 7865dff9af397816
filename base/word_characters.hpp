#pragma once
/// Classes of characters as Python's `re` has them for text: \w, \d and \s.
/// Defined in utf8.cpp, the one file that asks utf8proc.

namespace brewery {

/// A letter or a number of any script (str.isalnum), without the underscore.
bool is_alphanumeric(char32_t value);
/// A decimal digit of any script.
bool is_decimal(char32_t value);
/// str.isspace: also what splits words in str.split().
bool is_space(char32_t value);

} // namespace brewery
