#include "envs/tau2/python_rules/python_text.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace brewery::tau2 {

namespace {

/// Takes one code point from the front. Malformed bytes become U+FFFD.
char32_t take_code_point(std::string_view& text) {
  const auto first = decode_utf8(text, 0);
  text.remove_prefix(first.size);
  return first.value;
}

void append_escape_unit(std::string& out, unsigned unit) {
  out += fmt::format("\\u{:04x}", unit);
}

std::string joined(const std::vector<std::string>& parts, char open,
                   char close) {
  return fmt::format("{}{}{}", open, fmt::join(parts, ", "), close);
}

} // namespace

double as_double(const py_number& number) {
  return std::visit([](auto n) { return static_cast<double>(n); }, number);
}

std::string py_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[64];
  char* const end = std::to_chars(buffer, buffer + sizeof buffer - 1, value,
                                  std::chars_format::scientific)
                        .ptr;
  *end = '\0';
  const std::string_view text{buffer, static_cast<std::size_t>(end - buffer)};
  const auto mark = text.find('e');
  const int exponent = std::atoi(buffer + mark + 1);
  if (exponent < -4 || exponent >= 16) return std::string{text};

  std::string digits;
  for (char c : text.substr(0, mark))
    if (c != '-' && c != '.') digits += c;
  std::string out = text.front() == '-' ? "-" : "";
  if (exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    return out += digits;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  for (std::size_t i = 0; i < std::max(digits.size(), whole + 1); ++i) {
    if (i == whole) out += '.';
    out += i < digits.size() ? digits[i] : '0';
  }
  return out;
}

std::string py_number_text(const py_number& number) {
  if (const auto* whole = std::get_if<std::int64_t>(&number))
    return std::to_string(*whole);
  return py_float(std::get<double>(number));
}

double py_round2(double value) {
  if (!std::isfinite(value)) return value;
  return std::strtod(py_fixed2(value).c_str(), nullptr);
}

std::string py_fixed2(double value) {
  char buffer[512];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                 std::chars_format::fixed, 2)
                       .ptr;
  return {buffer, end};
}

std::string py_quote(std::string_view text) {
  const bool single = text.find('\'') != std::string_view::npos;
  const bool both = single && text.find('"') != std::string_view::npos;
  const char quote = single && !both ? '"' : '\'';
  std::string out(1, quote);
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = take_code_point(text);
    if (c == static_cast<unsigned char>(quote) || c == '\\')
      out += '\\', out += static_cast<char>(c);
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\t')
      out += "\\t";
    else if (is_printable(c))
      out += before.substr(0, before.size() - text.size());
    else if (c < 0x100)
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    else if (c < 0x10000)
      append_escape_unit(out, static_cast<unsigned>(c));
    else
      out += fmt::format("\\U{:08x}", static_cast<unsigned>(c));
  }
  return out + quote;
}

std::string py_repr(const json& value) {
  switch (value.type()) {
  case json::value_t::string:
    return py_quote(value.get_ref<const std::string&>());
  case json::value_t::boolean:
    return value.get<bool>() ? "True" : "False";
  case json::value_t::number_integer:
    return std::to_string(value.get<std::int64_t>());
  case json::value_t::number_unsigned:
    return std::to_string(value.get<std::uint64_t>());
  case json::value_t::number_float:
    return py_float(value.get<double>());
  case json::value_t::array: {
    std::vector<std::string> parts;
    for (const auto& item : value)
      parts.push_back(py_repr(item));
    return joined(parts, '[', ']');
  }
  case json::value_t::object: {
    std::vector<std::string> parts;
    for (const auto& [key, item] : value.items())
      parts.push_back(py_quote(key) + ": " + py_repr(item));
    return joined(parts, '{', '}');
  }
  default:
    return "None";
  }
}

std::string py_str(const json& value) {
  return value.is_string() ? value.get<std::string>() : py_repr(value);
}

std::string_view py_type_name(const json& value) {
  switch (value.type()) {
  case json::value_t::string:
    return "str";
  case json::value_t::boolean:
    return "bool";
  case json::value_t::number_integer:
  case json::value_t::number_unsigned:
    return "int";
  case json::value_t::number_float:
    return "float";
  case json::value_t::array:
    return "list";
  case json::value_t::object:
    return "dict";
  default:
    return "NoneType";
  }
}

bool py_equal(const json& left, const json& right) {
  const auto numeric = [](const json& v) {
    return v.is_number() || v.is_boolean();
  };
  const auto number = [](const json& v) {
    return v.is_boolean() ? json(v.get<bool>() ? 1 : 0) : v;
  };
  if (numeric(left) && numeric(right)) return number(left) == number(right);
  if (left.type() != right.type()) return false;
  if (left.is_array()) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      py_equal);
  }
  if (left.is_object()) {
    if (left.size() != right.size()) return false;
    for (const auto& [key, item] : left.items()) {
      const auto other = right.find(key);
      if (other == right.end() || !py_equal(item, *other)) return false;
    }
    return true;
  }
  return left == right;
}

result<void> py_hashable(const json& key) {
  if (!key.is_structured()) return {};
  return error{ec::invalid_argument,
               fmt::format("unhashable type: '{}'", py_type_name(key))};
}

result<std::vector<json>> py_elements(const json& value) {
  std::vector<json> out;
  if (value.is_array()) {
    out.assign(value.begin(), value.end());
  } else if (value.is_object()) {
    for (auto it = value.begin(); it != value.end(); ++it)
      out.emplace_back(it.key());
  } else if (value.is_string()) {
    // A character starts at each byte that is no continuation byte.
    for (const char byte : value.get_ref<const std::string&>()) {
      if (out.empty() || !continues_character(byte)) out.emplace_back("");
      out.back().get_ref<std::string&>() += byte;
    }
  } else {
    return error{
        ec::invalid_argument,
        fmt::format("'{}' object is not iterable", py_type_name(value))};
  }
  return out;
}

void append_json(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const char lead = text.front();
    if (lead >= ' ' && lead <= '~') {
      if (lead == '"' || lead == '\\') out += '\\';
      out += lead;
      text.remove_prefix(1);
      continue;
    }
    const char32_t c = take_code_point(text);
    constexpr std::string_view controls = "\b\t\n\f\r", letters = "btnfr";
    if (const auto at = c < 0x20 ? controls.find(static_cast<char>(c))
                                 : std::string_view::npos;
        at != std::string_view::npos) {
      out += '\\';
      out += letters[at];
    } else if (c >= 0x10000) {
      const auto rest = static_cast<unsigned>(c) - 0x10000;
      append_escape_unit(out, 0xd800 + (rest >> 10));
      append_escape_unit(out, 0xdc00 + (rest & 0x3ff));
    } else {
      append_escape_unit(out, static_cast<unsigned>(c));
    }
  }
  out += '"';
}

void append_json(std::string& out, double value) {
  if (std::isnan(value))
    out += "NaN";
  else if (std::isinf(value))
    out += value < 0 ? "-Infinity" : "Infinity";
  else
    out += py_float(value);
}

void append_json(std::string& out, const json& value, key_order order) {
  if (value.is_string()) {
    append_json(out, std::string_view{value.get_ref<const std::string&>()});
  } else if (value.is_boolean()) {
    out += value.get<bool>() ? "true" : "false";
  } else if (value.is_number_float()) {
    append_json(out, value.get<double>());
  } else if (value.is_number()) {
    out += py_repr(value);
  } else if (value.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i != 0) out += ", ";
      append_json(out, value[i], order);
    }
    out += ']';
  } else if (value.is_object()) {
    std::vector<json::const_iterator> members;
    for (auto it = value.begin(); it != value.end(); ++it)
      members.push_back(it);
    if (order == key_order::sorted) {
      std::sort(members.begin(), members.end(),
                [](auto a, auto b) { return a.key() < b.key(); });
    }
    out += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i != 0) out += ", ";
      append_json(out, std::string_view{members[i].key()});
      out += ": ";
      append_json(out, *members[i], order);
    }
    out += '}';
  } else {
    out += "null";
  }
}

} // namespace brewery::tau2
