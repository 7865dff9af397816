#include "kb/unicode.hpp"

#include <algorithm>
#include <array>

namespace brewery {

namespace {

constexpr code_point malformed{0xfffd, 1};

struct range {
  char32_t first;
  char32_t last;
  char_kind kind;
};

/// Sorted, disjoint; what is in no range and not ASCII is a letter.
constexpr std::array ranges{
    range{0x80, 0xa9, char_kind::separator},
    range{0xab, 0xb4, char_kind::separator},
    range{0xb6, 0xb9, char_kind::separator},
    range{0xbb, 0xbf, char_kind::separator},
    range{0xd7, 0xd7, char_kind::separator},
    range{0xf7, 0xf7, char_kind::separator},
    range{0x2000, 0x200b, char_kind::separator},
    range{0x200c, 0x200d, char_kind::ignored},   // joiners
    range{0x200e, 0x20d4, char_kind::separator}, // punctuation, currency
    range{0x20d5, 0x20ff, char_kind::ignored},   // key cap and other marks
    range{0x2190, 0x22ff, char_kind::separator}, // arrows, operators
    range{0x2300, 0x23ff, char_kind::symbol},    // technical: watch, keyboard
    range{0x2400, 0x25ff, char_kind::separator}, // boxes, blocks, shapes
    range{0x2600, 0x27bf, char_kind::symbol},    // signs, dingbats
    range{0x27c0, 0x2aff, char_kind::separator}, // operators
    range{0x2b00, 0x2bff, char_kind::symbol},    // stars
    range{0x2e00, 0x2e7f, char_kind::separator},
    range{0x2e80, 0x2fff, char_kind::symbol}, // Han radicals
    range{0x3000, 0x3040, char_kind::separator},
    range{0x3041, 0x30ff, char_kind::symbol},    // Kana
    range{0x3400, 0x4dbf, char_kind::symbol},    // Han
    range{0x4e00, 0x9fff, char_kind::symbol},    // Han
    range{0xd800, 0xf8ff, char_kind::separator}, // surrogates, private use
    range{0xf900, 0xfaff, char_kind::symbol},    // Han
    range{0xfe00, 0xfe0f, char_kind::ignored},   // variation selectors
    range{0xfe10, 0xfe6f, char_kind::separator},
    range{0xfeff, 0xfeff, char_kind::ignored}, // byte order mark
    range{0xff00, 0xff0f, char_kind::separator},
    range{0xfff0, 0xffff, char_kind::separator},
    range{0x1f000, 0x1f3fa, char_kind::symbol},
    range{0x1f3fb, 0x1f3ff, char_kind::ignored}, // skin tones
    range{0x1f400, 0x1faff, char_kind::symbol},
    range{0x20000, 0x3ffff, char_kind::symbol}, // Han
    range{0xe0000, 0xe0fff, char_kind::ignored},
};

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

} // namespace

code_point decode_utf8(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  const std::uint8_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + size > text.size()) return malformed;
  char32_t value = lead & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_continuation(text[at + i])) return malformed;
    value = (value << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3fu);
  }
  const bool overlong =
      (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (overlong || surrogate || value > 0x10ffff) return malformed;
  return {value, size};
}

void append_utf8(char32_t value, std::string& out) {
  const auto byte = [&out](char32_t bits) { out += static_cast<char>(bits); };
  if (value < 0x80) {
    byte(value);
  } else if (value < 0x800) {
    byte(0xc0 | (value >> 6));
    byte(0x80 | (value & 0x3f));
  } else if (value < 0x10000) {
    byte(0xe0 | (value >> 12));
    byte(0x80 | ((value >> 6) & 0x3f));
    byte(0x80 | (value & 0x3f));
  } else {
    byte(0xf0 | (value >> 18));
    byte(0x80 | ((value >> 12) & 0x3f));
    byte(0x80 | ((value >> 6) & 0x3f));
    byte(0x80 | (value & 0x3f));
  }
}

char_kind kind_of(char32_t value) {
  if (value < 0x80) {
    if (value >= '0' && value <= '9') return char_kind::digit;
    const char32_t lowered = value | 0x20;
    const bool word = (lowered >= 'a' && lowered <= 'z') || value == '_';
    return word ? char_kind::letter : char_kind::separator;
  }
  const auto it = std::lower_bound(
      ranges.begin(), ranges.end(), value,
      [](const range& item, char32_t wanted) { return item.last < wanted; });
  if (it == ranges.end()) return char_kind::separator;
  return value >= it->first ? it->kind : char_kind::letter;
}

char32_t to_lower(char32_t value) {
  if (value >= 'A' && value <= 'Z') return value + 32;
  if (value < 0xc0) return value;
  if (value <= 0xde) return value == 0xd7 ? value : value + 32;
  // Latin Extended-A: pairs, upper case first, with two shifts of parity.
  if ((value >= 0x100 && value <= 0x137) || (value >= 0x14a && value <= 0x177))
    return value == 0x130 ? 'i' : value | 1;
  if ((value >= 0x139 && value <= 0x148) || (value >= 0x179 && value <= 0x17e))
    return (value & 1) != 0 ? value + 1 : value;
  if (value == 0x178) return 0xff;
  if (value >= 0x391 && value <= 0x3ab) return value + 32; // Greek
  if (value >= 0x410 && value <= 0x42f) return value + 32; // Cyrillic
  if (value >= 0x400 && value <= 0x40f) return value + 80;
  return value;
}

bool is_upper(char32_t value) {
  return to_lower(value) != value;
}

} // namespace brewery
