#include "web/query.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::web {

namespace {

constexpr unsigned char first_printable = 0x20;
constexpr unsigned char delete_character = 0x7f;
constexpr char32_t replacement = 0xfffd;
constexpr std::size_t quoted_max = 40; ///< characters of a value in an error

error bad(std::string_view what, std::string_view text) {
  return {ec::invalid_argument,
          fmt::format("{} in \"{}\"", what, utf8_prefix(text, quoted_max))};
}

/// Whether it is UTF-8 without control characters. U+FFFD itself passes for
/// malformed: nothing here is named so.
bool is_plain_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    if (next.value == replacement || next.value < first_printable
        || next.value == delete_character)
      return false;
    at += next.size;
  }
  return true;
}

} // namespace

result<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const auto digits = text.substr(i + 1, 2);
    const auto value = whole_number<unsigned>(digits, 16);
    if (digits.size() != 2 || !value)
      return bad("a % without two hex digits", text);
    out += static_cast<char>(*value);
    i += 2;
  }
  if (!is_plain_text(out)) return bad("no plain text", text);
  return out;
}

result<std::vector<std::string>> path_parts(std::string_view path) {
  std::vector<std::string> out;
  if (path.starts_with('/')) path.remove_prefix(1);
  for (const auto part : split(path, '/')) {
    auto decoded = percent_decoded(part);
    if (!decoded) return decoded.error();
    out.push_back(std::move(*decoded));
  }
  return out;
}

result<query_values> parse_query(std::string_view query,
                                 const std::vector<std::string>& known) {
  query_values out;
  if (query.empty()) return out;
  for (const auto part : split(query, '&')) {
    const auto equals = std::min(part.find('='), part.size());
    const auto name = percent_decoded(part.substr(0, equals));
    if (!name) return name.error();
    const auto value = percent_decoded(replace_all(
        std::string{part.substr(std::min(equals + 1, part.size()))}, "+", " "));
    if (!value) return value.error();
    if (std::ranges::find(known, *name) == known.end())
      return error{ec::invalid_argument,
                   fmt::format("no parameter \"{}\"; there are: {}",
                               utf8_prefix(*name, quoted_max),
                               known.empty() ? "none" : join(known, ", "))};
    if (!out.emplace(*name, *value).second)
      return error{ec::invalid_argument,
                   fmt::format("parameter {} is given twice", *name)};
  }
  return out;
}

} // namespace brewery::web
