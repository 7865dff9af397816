#pragma once
/// Decodes and encodes UTF-8 with utf8proc, and classifies characters for
/// several folders.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace brewery {

struct code_point {
  char32_t value = 0;    ///< U+FFFD for a malformed byte
  std::uint8_t size = 1; ///< encoded length, 1 to 4 bytes
};

/// Decodes at `at`, which must be inside the text. Overlong forms, surrogates
/// and stray bytes are malformed and consume one byte.
code_point decode_utf8(std::string_view text, std::size_t at);

void append_utf8(char32_t value, std::string& out);

/// Whether the byte continues a character.
constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

/// The number of characters in valid UTF-8.
std::size_t count_characters(std::string_view text);

/// At most the first `bytes_max` bytes, cut between characters.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes_max);

/// Unicode's simple lower-case mapping; a character without one is unchanged.
char32_t to_lower(char32_t value);

/// For names of ASCII letters: lower case, and Latin letters without marks:
/// "Ärger, Łódź" is "arger, lodz". Letters of other alphabets stay, in lower
/// case.
std::string plain_letters(std::string_view text);

/// Whether Python's repr() shows the character itself. Not so for control,
/// format, surrogate, private or unassigned characters and separators other
/// than the space.
bool is_printable(char32_t value);

} // namespace brewery
