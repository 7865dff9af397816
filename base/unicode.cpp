#include "base/unicode.hpp"

#include <algorithm>
#include <array>

namespace brewery {

namespace {

struct range {
  char32_t first;
  char32_t last;
  char_kind kind;
};

/// Sorted and disjoint. Non-ASCII characters in no range are letters.
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

} // namespace

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

} // namespace brewery
