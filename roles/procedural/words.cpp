#include "roles/procedural/words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <unordered_map>

namespace brewery {

std::string singular(std::string_view name) {
  if (name.size() > 2 && name.ends_with('s') && !name.ends_with("ss")
      && !name.ends_with("us"))
    name.remove_suffix(1);
  return std::string{name};
}

namespace {

/// Limit of the cache. Names are few and frequent; free text is not.
constexpr std::size_t max_known_names = 4096;

std::set<std::string> cut_words(std::string_view name) {
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

} // namespace

const std::set<std::string>& name_words(std::string_view name) {
  thread_local std::unordered_map<std::string, std::set<std::string>> known;
  if (known.size() >= max_known_names) known.clear();
  const auto [it, added] = known.try_emplace(std::string{name});
  if (added) it->second = cut_words(name);
  return it->second;
}

std::set<std::string> telling_words(std::string_view name) {
  const auto all = name_words(name);
  auto words = all;
  for (const auto* common : {"name", "id", "number", "value", "type"})
    words.erase(common);
  return words.empty() ? all : words;
}

bool ends_like_id(std::string_view name) {
  return name == "id" || name.ends_with("_id");
}

bool names_match(std::string_view parameter, std::string_view key) {
  if (parameter == key) return !name_words(parameter).empty();
  // A copy, because the second call may clear the cache.
  const auto a = name_words(parameter);
  const auto& b = name_words(key);
  if (a.empty() || b.empty()) return false;
  return std::includes(a.begin(), a.end(), b.begin(), b.end())
         || std::includes(b.begin(), b.end(), a.begin(), a.end());
}

} // namespace brewery
