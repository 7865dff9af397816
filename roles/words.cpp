#include "roles/words.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace brewery {

std::string singular(std::string_view name) {
  if (name.size() > 3 && name.ends_with('s') && !name.ends_with("ss")
      && !name.ends_with("us"))
    name.remove_suffix(1);
  return std::string{name};
}

std::set<std::string> name_words(std::string_view name) {
  std::set<std::string> words;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) words.insert(singular(word));
    word.clear();
  };
  for (const char c : lower(name)) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (letter)
      word += c;
    else
      flush();
  }
  flush();
  return words;
}

std::set<std::string> telling_words(std::string_view name) {
  const auto all = name_words(name);
  auto words = all;
  for (const auto* common : {"name", "id", "number", "value", "type"})
    words.erase(common);
  return words.empty() ? all : words;
}

bool names_match(std::string_view parameter, std::string_view key) {
  const auto a = name_words(parameter);
  const auto b = name_words(key);
  if (a.empty() || b.empty()) return false;
  return std::includes(a.begin(), a.end(), b.begin(), b.end())
         || std::includes(b.begin(), b.end(), a.begin(), a.end());
}

} // namespace brewery
