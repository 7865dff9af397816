#include "config/option.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// Prints 1000000, not 1e+06.
std::string bound(double value) {
  return std::abs(value) < 1e15 && value == std::trunc(value)
             ? fmt::format("{:.0f}", value)
             : fmt::format("{}", value);
}

std::string range_text(const option& item) {
  if (item.min && item.max)
    return " from " + bound(*item.min) + " to " + bound(*item.max);
  if (item.min) return " of at least " + bound(*item.min);
  if (item.max) return " of at most " + bound(*item.max);
  return "";
}

std::string quoted_list(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const auto& word : words)
    quoted.push_back('"' + word + '"');
  return join(quoted, ", ");
}

/// Written so that NaN is outside every range.
bool in_range(const option& item, double value) {
  return value - value == 0 && (!item.min || value >= *item.min)
         && (!item.max || value <= *item.max);
}

bool is_choice(const option& item, const std::string& word) {
  return item.choices.empty()
         || std::find(item.choices.begin(), item.choices.end(), word)
                != item.choices.end();
}

} // namespace

std::string option::variable() const {
  return "BREWERY_" + upper(replace_all(key(), ".", "__"));
}

const option_section* find_section(const std::string& name) {
  for (const auto& section : schema())
    if (section.name == name) return &section;
  return nullptr;
}

bool has_subsections(const std::string& name) {
  return std::any_of(schema().begin(), schema().end(), [&name](const auto& s) {
    return s.name.starts_with(name + '.');
  });
}

const option* find_option(const std::string& section, const std::string& name) {
  const auto* found = find_section(section);
  if (!found) return nullptr;
  for (const auto& item : found->options)
    if (item.name == name) return &item;
  return nullptr;
}

const option* find_option(const std::string& key) {
  const auto dot = key.rfind('.');
  if (dot == std::string::npos) return nullptr;
  return find_option(key.substr(0, dot), key.substr(dot + 1));
}

std::string expectation(const option& item) {
  switch (item.kind) {
  case option_kind::boolean:
    return "true or false";
  case option_kind::integer:
    return "an integer" + range_text(item);
  case option_kind::integer_or_word:
    return "an integer" + range_text(item) + " or " + quoted_list(item.choices);
  case option_kind::number:
    return "a number" + range_text(item);
  case option_kind::text:
    return "a string";
  case option_kind::path:
    return "a path in quotes";
  case option_kind::choice:
    return "one of " + quoted_list(item.choices);
  case option_kind::list:
    return item.choices.empty() ? "a list of strings"
                                : "a list of " + quoted_list(item.choices);
  }
  return "";
}

bool accepts(const option& item, const option_value& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  const auto* text = std::get_if<std::string>(&value);
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  switch (item.kind) {
  case option_kind::boolean:
    return std::holds_alternative<bool>(value);
  case option_kind::integer:
    return whole && in_range(item, static_cast<double>(*whole));
  case option_kind::integer_or_word:
    return (whole && in_range(item, static_cast<double>(*whole)))
           || (text && is_choice(item, *text));
  case option_kind::number:
    return (real && in_range(item, *real))
           || (whole && in_range(item, static_cast<double>(*whole)));
  case option_kind::text:
  case option_kind::path:
    return text != nullptr;
  case option_kind::choice:
    return text && is_choice(item, *text);
  case option_kind::list:
    return list
           && std::all_of(
               list->begin(), list->end(),
               [&item](const auto& word) { return is_choice(item, word); });
  }
  return false;
}

} // namespace brewery
