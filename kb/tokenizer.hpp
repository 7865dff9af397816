#pragma once
/// Splits technical text into index terms. Pure; safe on any bytes.
///
///   "Run check_network_status, then set 4g_5g_preferred!"
///   -> run | check_network_status check network status | then | set
///      | 4g_5g_preferred 4g 5g prefer
///
/// Rules, in order:
///  - A word is a run of letters (any script), digits and '_'. A '.', '-', ':'
///    or ',' between two digits belongs to it (2.0, 555-123-2002, 10:30), a '.'
///    between two word characters too (report.xlsx, df.loc), an apostrophe
///    between two letters too (customer's).
///  - Everything is lower-cased (ASCII, Latin, Greek, Cyrillic).
///  - An identifier (contains '_', an inner '.', or a camelCase boundary) gives
///    itself whole and unstemmed, then its parts as plain words.
///  - A plain word of letters is stemmed (Snowball English); a word with a
///  digit
///    in it (4g, c1001, 2.0) is kept as it is.
///  - Han and Kana letters are one term each; so is every emoji or pictograph
///    (variation selectors and joiners are dropped).
/// No stop words are removed: BM25's idf weighs them near nothing, and "off",
/// "not" and "no" carry meaning here.

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// All terms of a text, in order of appearance, repeats included.
std::vector<std::string> tokenize(std::string_view text);

/// The next word of `text` at or after `from` (a view into the text), as the
/// first rule cuts it; empty at the end. `from` moves behind it.
std::string_view next_word(std::string_view text, std::size_t& from);

/// Appends the terms of one word that `next_word` returned.
void append_terms(std::string_view word, std::vector<std::string>& terms);

} // namespace brewery
