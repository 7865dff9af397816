#include "roles/desktop/procedural/task_terms.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace brewery::desktop {

namespace {

constexpr std::string_view text_lead = "text ";
constexpr std::size_t shortest_word = 3;
constexpr std::size_t most_texts = 9;

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0
         || static_cast<unsigned char>(c) >= 0x80;
}

bool is_common(std::string_view word) {
  constexpr std::array<std::string_view, 40> common{
      "the",    "and",   "for",  "with", "you",   "your", "please", "can",
      "could",  "would", "that", "this", "have",  "has",  "are",    "was",
      "its",    "into",  "from", "not",  "but",   "all",  "any",    "when",
      "want",   "need",  "make", "help", "there", "them", "then",   "will",
      "should", "like",  "how",  "what", "which", "also", "just",   "one"};
  return std::find(common.begin(), common.end(), word) != common.end();
}

/// Lower case; a plural "s" is left out.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    auto end = i;
    while (end < text.size() && in_word(text[end]))
      ++end;
    if (end > i) {
      auto word = lower(text.substr(i, end - i));
      if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss"))
        word.pop_back();
      out.push_back(std::move(word));
    }
    i = std::max(end, i + 1);
  }
  return out;
}

void add_quoted(std::string_view text, std::vector<std::string>& out) {
  using pair = std::pair<std::string_view, std::string_view>;
  constexpr std::array marks{pair{"\"", "\""}, pair{"'", "'"}, pair{"`", "`"},
                             pair{"\xe2\x80\x9c", "\xe2\x80\x9d"},
                             pair{"\xe2\x80\x98", "\xe2\x80\x99"}};
  for (std::size_t i = 0; i < text.size() && out.size() < most_texts; ++i)
    for (const auto& [open, close] : marks) {
      if (!text.substr(i).starts_with(open) || (i > 0 && in_word(text[i - 1])))
        continue;
      const auto begin = i + open.size();
      const auto end = text.find(close, begin);
      if (end == text.npos || end == begin) continue;
      out.emplace_back(text.substr(begin, end - begin));
      i = end + close.size() - 1;
      break;
    }
}

/// Words with a dot inside: report.odt.
void add_file_names(std::string_view text, std::vector<std::string>& out) {
  for (auto word : split(text, ' ')) {
    while (!word.empty() && !in_word(word.back()))
      word.remove_suffix(1);
    while (!word.empty() && !in_word(word.front()) && word.front() != '/'
           && word.front() != '~')
      word.remove_prefix(1);
    const auto dot = word.find('.');
    if (dot == word.npos || dot == 0 || out.size() >= most_texts) continue;
    if (std::find(out.begin(), out.end(), word) == out.end())
      out.emplace_back(word);
  }
}

} // namespace

task_terms terms_of(std::string_view instruction) {
  task_terms out;
  add_quoted(instruction, out.texts);
  std::string rest{instruction};
  for (const auto& text : out.texts)
    rest = replace_all(std::move(rest), text, " ");
  add_file_names(rest, out.texts);
  for (const auto& text : out.texts)
    rest = replace_all(std::move(rest), text, " ");
  for (auto& word : words_in(rest))
    if (word.size() >= shortest_word && !is_common(word))
      out.words.insert(std::move(word));
  return out;
}

likeness likeness_to(const task_terms& task, std::string_view name) {
  double known = 0, all = 0;
  for (const auto& word : words_in(name)) {
    if (word.size() < shortest_word || is_common(word)) continue;
    ++all;
    known += task.words.contains(word) && usual_key_for(word).empty() ? 1 : 0;
  }
  if (all == 0) return {};
  return {known / all, known * known / all};
}

std::string_view usual_key_for(std::string_view word) {
  using pair = std::pair<std::string_view, std::string_view>;
  constexpr std::array keys{pair{"save", "ctrl+s"}, pair{"undo", "ctrl+z"},
                            pair{"copy", "ctrl+c"}, pair{"paste", "ctrl+v"}};
  for (const auto& [said, does] : keys)
    if (said == word) return does;
  return {};
}

std::string placeholder_of(const task_terms& task, std::string_view text) {
  for (std::size_t i = 0; i < task.texts.size(); ++i)
    if (task.texts[i] == text)
      return std::string{text_lead} + std::to_string(i + 1);
  return {};
}

std::string filled(const task_terms& task, std::string_view placeholder) {
  if (!placeholder.starts_with(text_lead)) return {};
  placeholder.remove_prefix(text_lead.size());
  const auto number = whole_number<std::size_t>(placeholder).value_or(0);
  if (number == 0 || number > task.texts.size()) return {};
  return task.texts[number - 1];
}

} // namespace brewery::desktop
