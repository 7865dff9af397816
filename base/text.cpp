#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace brewery {

std::string_view trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text,
                                    std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  return split(text, std::string_view{&separator, 1});
}

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string join(const std::vector<std::string>& parts,
                 std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::string replace_all(std::string text, std::string_view from,
                        std::string_view to) {
  if (from.empty()) return text;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

} // namespace

std::string nearest(std::string_view word,
                    const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 2;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-./:=@%+,";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos)
    return std::string{text};
  return "'" + replace_all(std::string{text}, "'", "'\\''") + "'";
}

std::string random_id() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

bool is_random_id(std::string_view text) {
  constexpr std::size_t digits = 16;
  return text.size() == digits
         && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string counted(std::size_t count, std::string_view what) {
  auto out = std::to_string(count) + ' ' + std::string{what};
  return count == 1 ? out : out + 's';
}

std::string suggest_choice(const std::string& word,
                           const std::vector<std::string>& choices) {
  std::vector<std::string> alike;
  for (const auto& choice : choices)
    if (choice != word) alike.push_back(lower(choice));
  const auto near = nearest(lower(word), alike);
  for (const auto& choice : choices)
    if (choice != word && !near.empty() && lower(choice) == near)
      return "; did you mean \"" + choice + "\"?";
  return "";
}

} // namespace brewery
