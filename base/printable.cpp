#include "base/printable.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

constexpr char32_t delete_key = 0x7f, first_printable_above = 0xa0;

/// Makes what follows read in another order than it is.
bool turns_around(char32_t value) {
  return (value >= 0x202a && value <= 0x202e)
         || (value >= 0x2066 && value <= 0x2069);
}

bool is_ascii_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

bool is_control(char32_t value) {
  return value < ' ' || (value >= delete_key && value < first_printable_above)
         || turns_around(value);
}

} // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto [value, size] = decode_utf8(text, at);
    const bool is_high_control = // a byte that is no character
        size == 1 && static_cast<unsigned char>(text[at]) > delete_key
        && static_cast<unsigned char>(text[at]) < first_printable_above;
    if (is_high_control
        || (is_control(value) && value != U'\n' && value != U'\t'))
      out += '?';
    else
      out += text.substr(at, size);
    at += size;
  }
  return out;
}

std::string single_line(std::string_view text, std::size_t bytes_max) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto [value, size] = decode_utf8(text, at);
    if (at + size > bytes_max) return out + "...";
    append_utf8(is_control(value) ? U' ' : value, out);
    at += size;
  }
  return out;
}

std::string ascii_line(std::string_view text, std::size_t bytes_max) {
  std::string out{text.substr(0, bytes_max)};
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return text.size() > bytes_max ? out + "..." : out;
}

std::string collapse_spaces(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    if (c == ' ' || is_ascii_control(c)) {
      gap = true;
      continue;
    }
    if (gap && !out.empty()) out += ' ';
    gap = false;
    out += c;
  }
  return out;
}

std::string excerpt(std::string_view text, std::size_t bytes_max) {
  const auto shown = utf8_prefix(text, bytes_max);
  if (shown.size() == text.size()) return std::string{text};
  return fmt::format("{}... ({} more bytes)", shown,
                     text.size() - shown.size());
}

std::string excerpt_of_ends(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string{text};
  const auto head = utf8_prefix(text, bytes_max - bytes_max / 2);
  auto tail = text.substr(text.size() - bytes_max / 2);
  constexpr int most_continuing = 3; // of one character
  for (int i = 0; i < most_continuing && !tail.empty()
                  && continues_character(tail.front());
       ++i)
    tail.remove_prefix(1);
  return fmt::format("{}\n[... {} bytes left out ...]\n{}", head,
                     text.size() - head.size() - tail.size(), tail);
}

} // namespace brewery
