#include "envs/child/shown_text.hpp"

#include "kb/unicode.hpp"

namespace brewery::child {

std::string shown_text(std::string_view text, std::size_t bytes_max) {
  constexpr char32_t delete_key = 0x7f, first_printable_above = 0xa0;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (out.size() >= bytes_max) return out + "...";
    const auto [value, size] = decode_utf8(text, at);
    at += size;
    const bool control =
        value < ' ' || (value >= delete_key && value < first_printable_above);
    append_utf8(control ? U' ' : value, out);
  }
  return out;
}

} // namespace brewery::child
