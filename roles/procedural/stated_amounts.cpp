#include "roles/procedural/stated_amounts.hpp"

#include "base/text.hpp"
#include "roles/procedural/status_lines.hpp"
#include "roles/procedural/words.hpp"

#include <algorithm>
#include <cctype>

namespace brewery {

namespace {

constexpr std::string_view stated = " that the task states";

/// The word at the start of a token: "GB." -> "GB", "3rd" -> "".
std::string_view unit_word(std::string_view token) {
  std::size_t length = 0;
  while (length < token.size()
         && std::isalpha(static_cast<unsigned char>(token[length])) != 0)
    ++length;
  return token.substr(0, length);
}

bool has_word(std::string_view name, const std::string& unit) {
  const auto wanted = name_words(unit);
  const auto& words = name_words(name);
  return std::any_of(wanted.begin(), wanted.end(),
                     [&](const auto& word) { return words.contains(word); });
}

/// A number, or a text that is one: tools quote numbers at times.
json number_in(const json& value) {
  if (value.is_number()) return value;
  if (!value.is_string()) return nullptr;
  return number_in_text(value.get_ref<const std::string&>());
}

} // namespace

stated_amounts::stated_amounts(std::string_view instruction) {
  std::string text{instruction};
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto tokens = split(text, ' ');
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    auto value = number_in_text(tokens[i]);
    const auto unit = unit_word(tokens[i + 1]);
    if (!value.is_null() && !unit.empty())
      amounts_.push_back({std::string{unit}, std::move(value)});
  }
}

bool stated_amounts::unique(const amount& item) const {
  return std::all_of(amounts_.begin(), amounts_.end(), [&](const auto& other) {
    return other.unit != item.unit || other.value == item.value;
  });
}

std::string stated_amounts::placeholder_of(std::string_view name,
                                           const json& value) const {
  if (amounts_.empty()) return {};
  const auto number = number_in(value);
  for (const auto& item : amounts_)
    if (item.value == number && unique(item) && has_word(name, item.unit))
      return item.unit + std::string{stated};
  return {};
}

std::string stated_amounts::placeholder_in_check(const json& value) const {
  for (const auto& item : amounts_)
    if (item.value == value && unique(item))
      return item.unit + std::string{stated};
  return {};
}

json stated_amounts::fill(std::string_view placeholder) const {
  if (!placeholder.ends_with(stated)) return nullptr;
  placeholder.remove_suffix(stated.size());
  for (const auto& item : amounts_)
    if (item.unit == placeholder && unique(item)) return item.value;
  return nullptr;
}

std::vector<double> stated_amounts::matching(std::string_view name) const {
  std::vector<double> out;
  for (const auto& item : amounts_)
    if (has_word(name, item.unit)) out.push_back(item.value.get<double>());
  return out;
}

} // namespace brewery
