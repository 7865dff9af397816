#include "learners/brew/told_apart.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

namespace brewery {

namespace {

using word_list = std::vector<std::string>;

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz"
                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789_'-";

/// The words in lower case; text in backticks is one word, as it is.
word_list words_of(std::string_view text) {
  word_list out;
  while (!text.empty()) {
    std::size_t end = 1;
    if (text.front() == '`') {
      const auto close = text.find('`', 1);
      end = close == text.npos ? text.size() : close + 1;
      out.emplace_back(text.substr(0, end));
    } else if (letters.find(text.front()) != letters.npos) {
      end = std::min(text.find_first_not_of(letters), text.size());
      out.push_back(lower(text.substr(0, end)));
    } else if (static_cast<unsigned char>(text.front()) >= 0x80) {
      // Another script: its letters are not told apart from its signs.
      while (end < text.size() && static_cast<unsigned char>(text[end]) >= 0x80)
        ++end;
      out.emplace_back(text.substr(0, end));
    }
    text.remove_prefix(end);
  }
  return out;
}

template <class Words>
bool among(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 14> number_words{
    "one",   "two",  "three", "four", "five",  "six",  "seven",
    "eight", "nine", "ten",   "once", "twice", "half", "double"};
constexpr std::array<std::string_view, 10> negations{
    "no",      "not", "never",   "none",   "nothing",
    "neither", "nor", "without", "cannot", "impossible"};
constexpr std::array<std::array<std::string_view, 2>, 14> opposites{
    {{"on", "off"},
     {"before", "after"},
     {"enable", "disable"},
     {"enabled", "disabled"},
     {"first", "last"},
     {"more", "less"},
     {"always", "never"},
     {"above", "below"},
     {"most", "least"},
     {"maximum", "minimum"},
     {"all", "some"},
     {"true", "false"},
     {"possible", "impossible"},
     {"success", "failure"}}};
/// Words that say nothing of their own.
constexpr std::array<std::string_view, 30> small_words{
    "a",    "an",   "the",  "and",  "or",   "is",   "are", "be",
    "was",  "were", "been", "then", "to",   "of",   "in",  "at",
    "it",   "its",  "this", "that", "with", "for",  "by",  "from",
    "must", "has",  "have", "when", "if",   "there"};
constexpr std::array<std::string_view, 8> order_words{
    "before", "after", "then", "first", "last", "finally", "until", "next"};

std::set<std::string> particulars(const word_list& words) {
  std::set<std::string> out;
  for (const auto& word : words)
    if (word.front() == '`' || among(number_words, word)
        || word.find_first_of("0123456789") != word.npos)
      out.insert(word);
  return out;
}

bool is_negated(const word_list& words) {
  const auto count =
      std::count_if(words.begin(), words.end(), [](const auto& word) {
        return among(negations, word) || word.ends_with("n't");
      });
  return count % 2 != 0;
}

/// One says one word of a pair and the other the other.
bool opposed(const word_list& a, const word_list& b) {
  return std::any_of(opposites.begin(), opposites.end(), [&](const auto& pair) {
    const bool a0 = among(a, pair[0]), a1 = among(a, pair[1]);
    const bool b0 = among(b, pair[0]), b1 = among(b, pair[1]);
    return (a0 && !a1 && b1 && !b0) || (a1 && !a0 && b0 && !b1);
  });
}

/// At most a quarter of the words are others, in the same places.
bool exchanged(const word_list& a, const word_list& b) {
  if (a.size() != b.size()) return false;
  std::size_t others = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    others += a[i] != b[i];
  return others > 0 && 4 * others <= a.size();
}

/// What both share, in the order of the first.
word_list shared(const word_list& a, const word_list& b) {
  word_list out;
  for (const auto& word : a)
    if (!among(small_words, word) && !among(order_words, word)
        && among(b, word))
      out.push_back(word);
  return out;
}

bool reordered(const word_list& a, const word_list& b) {
  const auto orders = [](const word_list& words) {
    return std::any_of(words.begin(), words.end(), [](const auto& word) {
      return among(order_words, word);
    });
  };
  const auto in_a = shared(a, b), in_b = shared(b, a);
  if (in_a == in_b) return false;
  auto sorted_a = in_a, sorted_b = in_b;
  std::sort(sorted_a.begin(), sorted_a.end());
  std::sort(sorted_b.begin(), sorted_b.end());
  const bool same_words = a.size() == b.size() && in_a.size() == in_b.size()
                          && sorted_a == sorted_b;
  return same_words || (orders(a) && orders(b));
}

} // namespace

bool may_be_equal(std::string_view a, std::string_view b) {
  const auto words_a = words_of(a), words_b = words_of(b);
  return particulars(words_a) == particulars(words_b)
         && is_negated(words_a) == is_negated(words_b)
         && !opposed(words_a, words_b) && !exchanged(words_a, words_b)
         && !reordered(words_a, words_b);
}

} // namespace brewery
