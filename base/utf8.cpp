#include "base/utf8.hpp"

#include "base/word_characters.hpp"

#include <algorithm>
#include <iterator>
#include <utf8proc.h>

namespace brewery {

code_point decode_utf8(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  utf8proc_int32_t value = 0;
  const auto size = utf8proc_iterate(
      reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
      static_cast<utf8proc_ssize_t>(text.size() - at), &value);
  if (size <= 0) return {0xfffd, 1};
  return {static_cast<char32_t>(value), static_cast<std::uint8_t>(size)};
}

void append_utf8(char32_t value, std::string& out) {
  utf8proc_uint8_t bytes[4];
  const auto size =
      utf8proc_encode_char(static_cast<utf8proc_int32_t>(value), bytes);
  out.append(reinterpret_cast<const char*>(bytes),
             static_cast<std::size_t>(size));
}

std::size_t count_characters(std::string_view text) {
  return text.size()
         - static_cast<std::size_t>(
             std::count_if(text.begin(), text.end(), continues_character));
}

std::string_view utf8_prefix(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  while (bytes_max > 0 && continues_character(text[bytes_max]))
    --bytes_max;
  return text.substr(0, bytes_max);
}

char32_t to_lower(char32_t value) {
  if (value < 0x80) return value >= 'A' && value <= 'Z' ? value + 32 : value;
  return static_cast<char32_t>(
      utf8proc_tolower(static_cast<utf8proc_int32_t>(value)));
}

namespace {

/// Letters of which Unicode knows no parts.
std::string_view whole_letter(char32_t value) {
  switch (to_lower(value)) {
  case U'\u00e6': // ae
    return "ae";
  case U'\u00f0': // eth
  case U'\u0111': // d with a stroke
    return "d";
  case U'\u00f8': // o with a stroke
    return "o";
  case U'\u00fe': // thorn
    return "th";
  case U'\u0131': // i without a dot
    return "i";
  case U'\u0142': // l with a stroke
    return "l";
  case U'\u0153': // oe
    return "oe";
  default:
    return {};
  }
}

/// Marks that stand behind letters.
bool is_mark(char32_t value) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(value))
         == UTF8PROC_CATEGORY_MN;
}

/// ASCII that a Latin letter comes apart to; empty: it is none.
std::string letter_parts(char32_t value) {
  std::string out{whole_letter(value)};
  if (!out.empty()) return out;
  utf8proc_int32_t parts[32];
  int before = 0;
  const auto count = utf8proc_decompose_char(
      static_cast<utf8proc_int32_t>(value), parts, std::size(parts),
      static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD
                                     | UTF8PROC_STRIPMARK),
      &before);
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    if (count > std::ssize(parts) || parts[i] < 'a' || parts[i] > 'z')
      return {};
    out += static_cast<char>(parts[i]);
  }
  return out;
}

} // namespace

std::string plain_letters(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto here = decode_utf8(text, at);
    at += here.size;
    const bool behind_letter =
        !out.empty() && out.back() >= 'a' && out.back() <= 'z';
    if (behind_letter && is_mark(here.value)) continue;
    const auto parts =
        here.value < 0x80 ? std::string{} : letter_parts(here.value);
    if (parts.empty())
      append_utf8(to_lower(here.value), out);
    else
      out += parts;
  }
  return out;
}

bool is_printable(char32_t value) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(value))) {
  case UTF8PROC_CATEGORY_CC:
  case UTF8PROC_CATEGORY_CF:
  case UTF8PROC_CATEGORY_CS:
  case UTF8PROC_CATEGORY_CO:
  case UTF8PROC_CATEGORY_CN:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
    return false;
  case UTF8PROC_CATEGORY_ZS:
    return value == ' ';
  default:
    return true;
  }
}

bool is_alphanumeric(char32_t value) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(value))) {
  case UTF8PROC_CATEGORY_LU:
  case UTF8PROC_CATEGORY_LL:
  case UTF8PROC_CATEGORY_LT:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_LO:
  case UTF8PROC_CATEGORY_ND:
  case UTF8PROC_CATEGORY_NL:
  case UTF8PROC_CATEGORY_NO:
    return true;
  default:
    return false;
  }
}

bool is_decimal(char32_t value) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(value))
         == UTF8PROC_CATEGORY_ND;
}

bool is_space(char32_t value) {
  if (value == 0x20 || (value >= 0x09 && value <= 0x0d)
      || (value >= 0x1c && value <= 0x1f) || value == 0x85)
    return true;
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(value));
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL
         || category == UTF8PROC_CATEGORY_ZP;
}

} // namespace brewery
