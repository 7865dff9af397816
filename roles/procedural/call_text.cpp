#include "roles/procedural/call_text.hpp"

#include <cctype>

namespace brewery {

namespace {

bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t name_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && is_name_char(text[length]))
    ++length;
  return length;
}

/// Limit of nesting. No tool has deeper arguments, and copying is recursive.
constexpr int max_nesting = 64;

/// Length of the JSON value or placeholder at the start of an argument list. It
/// ends at the first ',' or ')' outside of quotes and brackets.
std::size_t value_length(std::string_view text) {
  int depth = 0;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inside = false;
      continue;
    }
    if (c == '"') inside = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth > max_nesting) return std::string_view::npos;
    if (depth == 0 && (c == ',' || c == ')')) return i;
  }
  return std::string_view::npos;
}

std::optional<call_argument> parse_argument(std::string_view text,
                                            std::size_t& consumed) {
  const std::size_t name_end = name_length(text);
  if (name_end == 0 || name_end >= text.size() || text[name_end] != '=')
    return std::nullopt;
  call_argument argument{std::string{text.substr(0, name_end)}, {}, {}};
  text.remove_prefix(name_end + 1);
  const std::size_t length = value_length(text);
  if (length == std::string_view::npos) return std::nullopt;
  const auto value = text.substr(0, length);
  if (value.size() > 2 && value.front() == '<' && value.back() == '>') {
    argument.placeholder = value.substr(1, value.size() - 2);
  } else {
    argument.value = json::parse(value, nullptr, false);
    if (argument.value.is_discarded()) return std::nullopt;
  }
  consumed = name_end + 1 + length;
  return argument;
}

} // namespace

std::string to_text(const call_text& call) {
  std::string out = call.tool + "(";
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& argument = call.arguments[i];
    if (i > 0) out += ", ";
    out += argument.name + "=";
    if (!argument.placeholder.empty())
      out += "<" + argument.placeholder + ">";
    else
      out +=
          argument.value.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  return out + ")";
}

std::optional<call_text> parse_call(std::string_view text,
                                    std::size_t& consumed) {
  const std::size_t name_end = name_length(text);
  if (name_end == 0 || name_end >= text.size() || text[name_end] != '(')
    return std::nullopt;
  call_text call{std::string{text.substr(0, name_end)}, {}};
  std::size_t at = name_end + 1;
  while (at < text.size() && text[at] != ')') {
    std::size_t used = 0;
    auto argument = parse_argument(text.substr(at), used);
    if (!argument) return std::nullopt;
    call.arguments.push_back(std::move(*argument));
    at += used;
    while (at < text.size() && (text[at] == ',' || text[at] == ' '))
      ++at;
  }
  if (at >= text.size()) return std::nullopt;
  consumed = at + 1;
  return call;
}

std::optional<call_text> parse_call(std::string_view text) {
  std::size_t consumed = 0;
  auto call = parse_call(text, consumed);
  if (!call || consumed != text.size()) return std::nullopt;
  return call;
}

std::optional<std::string> parse_quoted(std::string_view text,
                                        std::size_t& consumed) {
  if (text.empty() || text.front() != '"') return std::nullopt;
  std::size_t end = 1;
  while (end < text.size() && text[end] != '"')
    end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size()) return std::nullopt;
  const auto value = json::parse(text.substr(0, end + 1), nullptr, false);
  if (!value.is_string()) return std::nullopt;
  consumed = end + 1;
  return value.get<std::string>();
}

} // namespace brewery
