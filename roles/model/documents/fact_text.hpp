#pragma once
/// Texts as facts are compared: without upper case, further spaces and the
/// marks of Markdown. Pure; safe on any bytes.

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// Lower case, runs of spaces as one and none beside brackets, commas and
/// operators; every quotation mark is '"'; no backticks, no "**".
std::string plain_text(std::string_view text);

/// Whether plain text holds the words, not within longer words: "on" is not in
/// "once".
bool has_words(std::string_view plain, std::string_view words);

/// The same for words that may stand in the singular or the plural.
bool has_words_or_plural(std::string_view plain, std::string_view words);

/// Words and numbers in turn. Empty ones stand for what separates sentences,
/// items or columns. "30-day" and "30days" are two, "1,000" is "1000", "A1" is
/// one word and no number; the numbers of list items are left out.
std::vector<std::string> words_of(std::string_view text);

/// A word of `words_of` in the singular, as English forms it.
std::string singular(std::string word);

/// What is between the marks of a list item and the end of a line.
std::string_view without_list_mark(std::string_view line);

} // namespace brewery
