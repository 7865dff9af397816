#pragma once
/// The little of Unicode that the tokenizer needs: decoding UTF-8, lower case
/// of the common alphabets, and what kind of character a code point is.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace brewery {

struct code_point {
  char32_t value = 0;    ///< U+FFFD for a malformed byte
  std::uint8_t size = 1; ///< bytes it took, 1 to 4
};

/// Decodes at `at`, which must be inside the text. Overlong forms, surrogates
/// and stray bytes are malformed: one byte is consumed.
code_point decode_utf8(std::string_view text, std::size_t at);

void append_utf8(char32_t value, std::string& out);

enum class char_kind : std::uint8_t {
  separator, ///< space, punctuation, arrows, boxes, anything malformed
  letter,    ///< part of a word
  digit,     ///< 0 to 9
  symbol,    ///< a term by itself: emoji, pictographs, Han, Kana
  ignored,   ///< joiners and variation selectors
};

char_kind kind_of(char32_t value);

char32_t to_lower(char32_t value);

bool is_upper(char32_t value);

} // namespace brewery
