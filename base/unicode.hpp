#pragma once
/// Classifies characters for the tokenizer. Unicode's categories (see
/// base/utf8.hpp) do not determine whether a sign is a term by itself, such as
/// a Han character or a pictograph. This tokenizer decides it, so its terms
/// stay the same when Unicode grows.

#include <cstdint>

namespace brewery {

enum class char_kind : std::uint8_t {
  separator, ///< space, punctuation, arrows, boxes, anything malformed
  letter,    ///< part of a word
  digit,     ///< 0 to 9
  symbol,    ///< a term by itself: emoji, pictographs, Han, Kana
  ignored,   ///< joiners and variation selectors
};

char_kind kind_of(char32_t value);

} // namespace brewery
