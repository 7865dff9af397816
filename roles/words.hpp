#pragma once
/// Matching of names by their words: `line_ids` and `line_id`, `phone_number`
/// and "phone number", without a dictionary.

#include <set>
#include <string>
#include <string_view>

namespace brewery {

/// Lower-case words of an identifier or phrase, plural "s" dropped. The answer
/// is kept per thread and holds until the next call.
const std::set<std::string>& name_words(std::string_view name);

/// The same without words that any name may have ("name", "id", "number"),
/// unless nothing else is left.
std::set<std::string> telling_words(std::string_view name);

/// "line_ids" -> "line_id".
std::string singular(std::string_view name);

/// One name's words contain the other's.
bool names_match(std::string_view parameter, std::string_view key);

} // namespace brewery
