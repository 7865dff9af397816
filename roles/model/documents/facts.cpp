#include "roles/model/documents/facts.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/model/documents/fact_text.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace brewery {

namespace {

/// A longer quotation tells a case, in words that a rephrase may change. States
/// and messages are shorter.
constexpr std::size_t max_quoted_words = 12;

bool is_alnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// A letter or a digit, or a part of one outside ASCII.
bool is_wordy(char c) {
  return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80;
}

bool is_number(const std::string& word) {
  return !word.empty() && word[0] >= '0' && word[0] <= '9';
}

/// Follows a number without being what is counted.
bool is_unit(const std::string& word) {
  static const std::set<std::string_view> others{
      "a",    "and",  "are", "as",  "at",   "be",    "by",   "does", "for",
      "from", "has",  "if",  "in",  "is",   "it",    "more", "not",  "of",
      "on",   "once", "or",  "out", "per",  "so",    "than", "that", "the",
      "then", "they", "to",  "was", "when", "where", "with", "you"};
  return !word.empty() && !is_number(word) && !others.contains(word);
}

struct quote_marks {
  std::string_view open, close;
};
constexpr quote_marks all_quotes[] = {{"\"", "\""},
                                      {"\u201e", "\u201c"},
                                      {"\u201e", "\u201d"},
                                      {"\u201c", "\u201d"},
                                      {"\u00ab", "\u00bb"}};

/// Finds the facts in one pass over the lines.
class fact_reader {
public:
  std::vector<fact> read(std::string_view text) {
    std::string words; // what is neither code nor quoted
    bool fenced = false;
    for (const auto raw : split(text, '\n')) {
      const auto line = trim(raw);
      if (line.starts_with("```")) {
        fenced = !fenced;
        words += "\n;\n";
      } else if (fenced) {
        add_called(line);
        take_quotes(std::string{line});
      } else {
        words += take_quotes(take_code(line)) + "\n";
      }
    }
    add_numbers(words_of(words));
    return std::move(out_);
  }

private:
  void add(fact one) {
    const bool says = std::any_of(one.words.begin(), one.words.end(), is_wordy);
    if (says && seen_.insert(key_of(one)).second)
      out_.push_back(std::move(one));
  }

  void add_code(std::string_view code) {
    auto words = plain_text(code);
    while (words.ends_with("()"))
      words.resize(words.size() - 2);
    add({fact_kind::code, words, {}, "`" + collapse_spaces(code) + "`"});
  }

  /// `name` of "x.name(": what it is called on has a name of its own choice.
  void add_called(std::string_view line) {
    for (auto at = line.find('('); at != line.npos;
         at = line.find('(', at + 1)) {
      auto begin = at;
      while (begin > 0 && (line[begin - 1] == '_' || is_alnum(line[begin - 1])))
        --begin;
      if (begin < at) add_code(line.substr(begin, at - begin));
    }
  }

  /// The line with ";" in place of its code.
  std::string take_code(std::string_view line) {
    std::string out;
    for (;;) {
      const auto open = line.find('`');
      if (open == line.npos) return out += line;
      auto marks = line.find_first_not_of('`', open);
      if (marks == line.npos) return out += line;
      const auto mark = line.substr(open, marks - open);
      const auto close = line.find(mark, marks);
      if (close == line.npos) return out += line;
      add_code(line.substr(marks, close - marks));
      out.append(line.substr(0, open)).append(" ; ");
      line.remove_prefix(close + mark.size());
    }
  }

  /// The line with ";" in place of what it quotes.
  std::string take_quotes(std::string line) {
    for (const auto& marks : all_quotes)
      for (std::size_t at = line.find(marks.open); at != line.npos;
           at = line.find(marks.open, at + 1)) {
        if (at > 0 && is_alnum(line[at - 1])) continue; // 5" is a length
        const auto begin = at + marks.open.size();
        const auto end = line.find(marks.close, begin);
        if (end == line.npos) break;
        if (!add_quote(std::string_view{line}.substr(begin, end - begin)))
          continue;
        line.replace(at, end + marks.close.size() - at, " ; ");
      }
    return line;
  }

  bool add_quote(std::string_view text) {
    if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
    auto words = plain_text(text);
    while (!words.empty()
           && std::string_view{".,;:!?"}.find(words.back())
                  != std::string_view::npos)
      words.pop_back();
    if (static_cast<std::size_t>(std::count(words.begin(), words.end(), ' '))
        < max_quoted_words)
      add({fact_kind::quote, words, {}, "\"" + collapse_spaces(text) + "\""});
    return true;
  }

  void add_numbers(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!is_number(words[i])) continue;
      if (i > 0 && singular(words[i - 1]) == "step") continue;
      const bool has_unit = i + 1 < words.size() && is_unit(words[i + 1]);
      const auto unit = has_unit ? words[i + 1] : std::string{};
      add({fact_kind::number, words[i], singular(unit),
           words[i] + (unit.empty() || unit == "%" ? "" : " ") + unit});
    }
  }

  std::vector<fact> out_;
  std::set<fact_key> seen_;
};

} // namespace

fact_key key_of(const fact& one) {
  return {one.kind, one.words, one.unit};
}

std::vector<fact> facts_of(std::string_view text) {
  return fact_reader{}.read(text);
}

} // namespace brewery
