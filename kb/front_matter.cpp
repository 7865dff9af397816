#include "kb/front_matter.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace brewery {

namespace {

error at_line(std::string_view file, std::size_t line, std::string_view what) {
  return {ec::malformed, fmt::format("{}: line {}: {}", file, line, what)};
}

result<void> check_utf8(std::string_view text, std::string_view file) {
  for (std::size_t at = 0; at < text.size();) {
    const code_point here = decode_utf8(text, at);
    if (here.value == 0xfffd && here.size == 1) {
      const auto before = text.substr(0, at);
      const auto line = std::count(before.begin(), before.end(), '\n') + 1;
      return at_line(file, static_cast<std::size_t>(line),
                     "the text is not UTF-8; save it as UTF-8");
    }
    at += here.size;
  }
  return {};
}

/// Removes the next line from `rest` and returns it without its line end.
std::string_view take_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string unquoted(std::string_view value) {
  value = trim(value);
  if (value.size() < 2) return std::string{value};
  const bool single = value.front() == '\'' && value.back() == '\'';
  if (single)
    return replace_all(std::string{value.substr(1, value.size() - 2)}, "''",
                       "'");
  if (value.front() != '"' || value.back() != '"') return std::string{value};
  const auto parsed = nlohmann::json::parse(value, nullptr, false);
  return parsed.is_string() ? parsed.get<std::string>() : std::string{value};
}

/// Nested YAML, lists and comments are allowed but not read.
bool skipped(std::string_view line) {
  return trim(line).empty() || line.front() == ' ' || line.front() == '\t'
         || line.front() == '#' || line.front() == '-';
}

} // namespace

std::optional<std::string> front_matter::find(std::string_view key) const {
  for (const auto& found : items)
    if (found.key == key) return found.value;
  return std::nullopt;
}

result<front_matter> parse_front_matter(std::string_view text,
                                        std::string_view file) {
  if (auto ok = check_utf8(text, file); !ok) return ok.error();
  if (text.starts_with("\xef\xbb\xbf"))
    text.remove_prefix(3); // byte order mark
  front_matter out;
  std::string_view rest = text;
  if (take_line(rest) != "---") {
    out.body = text;
    return out;
  }
  for (std::size_t number = 2; !rest.empty(); ++number) {
    const auto line = take_line(rest);
    if (line == "---") {
      out.body = rest;
      return out;
    }
    if (skipped(line)) continue;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0)
      return at_line(file, number,
                     fmt::format("'{}' is not `key: value`", line));
    std::string key{trim(line.substr(0, colon))};
    if (out.find(key))
      return at_line(file, number, fmt::format("'{}' is given twice", key));
    out.items.push_back(
        {std::move(key), unquoted(line.substr(colon + 1)), number});
  }
  return at_line(file, 1, "the front matter is not closed by a line `---`");
}

std::string yaml_quoted(std::string_view text) {
  // JSON strings are YAML double-quoted scalars.
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

} // namespace brewery
