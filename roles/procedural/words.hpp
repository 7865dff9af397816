#pragma once
/// Compares names by their words, without a dictionary: `line_ids` and
/// `line_id`, `phone_number` and "phone number".

#include <set>
#include <string>
#include <string_view>

namespace brewery {

/// The lower-case words of an identifier or phrase, without plural "s". The
/// result is cached per thread and valid until the next call.
const std::set<std::string>& name_words(std::string_view name);

/// The same without generic words ("name", "id", "number"), unless no other
/// word is left.
std::set<std::string> telling_words(std::string_view name);

/// "line_ids" -> "line_id".
std::string singular(std::string_view name);

/// True for the name of an id: "id", "line_id".
bool ends_like_id(std::string_view name);

/// True if the words of one name include all words of the other.
bool names_match(std::string_view parameter, std::string_view key);

} // namespace brewery
