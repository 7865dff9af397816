#include "base/text.hpp"
#include "envs/tau2/data/model_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>

namespace brewery::tau2 {

namespace {

/// Unicode's White_Space in UTF-8.
constexpr std::string_view spaces[] = {" ",
                                       "\t",
                                       "\n",
                                       "\v",
                                       "\f",
                                       "\r",
                                       "\xc2\x85",
                                       "\xc2\xa0",
                                       "\xe1\x9a\x80",
                                       "\xe2\x80\x80",
                                       "\xe2\x80\x81",
                                       "\xe2\x80\x82",
                                       "\xe2\x80\x83",
                                       "\xe2\x80\x84",
                                       "\xe2\x80\x85",
                                       "\xe2\x80\x86",
                                       "\xe2\x80\x87",
                                       "\xe2\x80\x88",
                                       "\xe2\x80\x89",
                                       "\xe2\x80\x8a",
                                       "\xe2\x80\xa8",
                                       "\xe2\x80\xa9",
                                       "\xe2\x80\xaf",
                                       "\xe2\x81\x9f",
                                       "\xe3\x80\x80"};

std::string_view stripped(std::string_view text) {
  const auto first = [&](std::string_view s) { return text.starts_with(s); };
  const auto last = [&](std::string_view s) { return text.ends_with(s); };
  const auto find = [](const auto& at_end) {
    return std::find_if(std::begin(spaces), std::end(spaces), at_end);
  };
  for (auto at = find(first); at != std::end(spaces); at = find(first))
    text.remove_prefix(at->size());
  for (auto at = find(last); at != std::end(spaces); at = find(last))
    text.remove_suffix(at->size());
  return text;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Removes single underscores between digits; empty if the rest is not digits.
std::optional<std::string> plain_digits(std::string_view text) {
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_digit(text[i]))
      digits += text[i];
    else if (text[i] != '_' || digits.empty() || i + 1 == text.size()
             || text[i - 1] == '_')
      return std::nullopt;
  }
  if (digits.empty()) return std::nullopt;
  return digits;
}

/// Removes a fraction of zeros after the whole part: "100.0".
std::string_view without_zero_fraction(std::string_view text) {
  const auto dot = text.find('.');
  if (dot == std::string_view::npos || dot + 1 == text.size()) return text;
  if (text.find_first_not_of('0', dot + 1) != std::string_view::npos)
    return text;
  return text.substr(0, dot);
}

error not_an_integer(std::string_view why) {
  return {ec::invalid_argument,
          fmt::format("Input should be a valid integer, {}", why)};
}

error beyond_64_bits() {
  return {ec::invalid_argument, "the number does not fit 64 bits"};
}

result<std::int64_t> int_of_text(std::string_view text) {
  std::string_view rest = without_zero_fraction(stripped(text));
  const bool negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (negative || rest.front() == '+')) rest.remove_prefix(1);
  const auto digits = plain_digits(rest);
  if (!digits) return not_an_integer("unable to parse string as an integer");
  const std::string whole = (negative ? "-" : "") + *digits;
  const auto value = whole_number<std::int64_t>(whole);
  if (!value) return beyond_64_bits();
  return *value;
}

} // namespace

result<std::int64_t> lax_int(const json& value) {
  if (value.is_boolean()) return std::int64_t{value.get<bool>()};
  if (value.is_number_unsigned()
      && value.get<std::uint64_t>() > std::uint64_t{INT64_MAX})
    return beyond_64_bits();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (!std::isfinite(number))
      return error{ec::invalid_argument, "Input should be a finite number"};
    if (number != std::floor(number))
      return not_an_integer("got a number with a fractional part");
    if (number <= -0x1p63 || number >= 0x1p63) return beyond_64_bits();
    return static_cast<std::int64_t>(number);
  }
  if (value.is_string())
    return int_of_text(value.get_ref<const std::string&>());
  return not_an_integer(fmt::format("not {}", py_type_name(value)));
}

result<double> lax_float(const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
  if (value.is_number()) return value.get<double>();
  const auto refused = [](std::string_view why) {
    return error{ec::invalid_argument,
                 fmt::format("Input should be a valid number, {}", why)};
  };
  if (!value.is_string())
    return refused(fmt::format("not {}", py_type_name(value)));
  std::string text;
  bool after_underscore = false;
  for (const char c : stripped(value.get_ref<const std::string&>())) {
    // Excludes hexadecimal digits and nan payloads, which strtod accepts.
    if (c == 'x' || c == 'X' || c == '(' || (c == '_' && after_underscore))
      return refused("unable to parse string as a number");
    after_underscore = c == '_';
    if (!after_underscore) text += c;
  }
  const auto raw = stripped(value.get_ref<const std::string&>());
  if (text.empty() || raw.front() == '_' || raw.back() == '_')
    return refused("unable to parse string as a number");
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size())
    return refused("unable to parse string as a number");
  return number;
}

} // namespace brewery::tau2
