#pragma once
/// Splits technical text into index terms. Pure; safe on any bytes.
///
///   "Run check_network_status, then set 4g_5g_preferred!"
///   -> run | check_network_status check network status | then | set
///      | 4g_5g_preferred 4g 5g prefer
///
/// Rules, in order:
///   - A word is a run of letters (any script), digits and '_'. It may contain
///     a '.', '-', ':' or ',' between two digits (2.0, 555-123-2002, 10:30), a
///     '.' between two word characters (report.xlsx, df.loc) and an apostrophe
///     between two letters (customer's).
///   - Everything is lower-cased (ASCII, Latin, Greek, Cyrillic).
///   - An identifier (with '_', an inner '.', or a camelCase boundary) gives
///     itself, unstemmed, and then its parts as plain words.
///   - A plain word of letters is stemmed (Snowball English). A word with a
///     digit (4g, c1001, 2.0) is not.
///   - Each Han or Kana letter is one term, and so is each emoji or pictograph.
///     Variation selectors and joiners are dropped.
/// Stop words stay: BM25's idf gives them almost no weight, and "off", "not"
/// and "no" carry meaning in these texts.

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// All terms of a text, in order of appearance, with repetitions.
std::vector<std::string> tokenize(std::string_view text);

/// The next word of `text` at or after `from`, by the first rule; a view into
/// the text. Empty at the end. Moves `from` behind the word.
std::string_view next_word(std::string_view text, std::size_t& from);

/// Appends the terms of one word that `next_word` returned.
void append_terms(std::string_view word, std::vector<std::string>& terms);

} // namespace brewery
