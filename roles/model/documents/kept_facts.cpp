#include "roles/model/documents/kept_facts.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/model/documents/fact_text.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

namespace brewery {

namespace {

enum class fact_kind : std::uint8_t { code, number, quote };

struct fact {
  fact_kind kind;
  std::string words; ///< as `plain_text`, for a search; of a number the digits
  std::string unit;  ///< of a number, may be empty
  std::string shown; ///< for messages
};

/// A longer quotation tells a case, in words that a rephrase may change. States
/// and messages are shorter.
constexpr std::size_t max_quoted_words = 12;
/// "30 days" may become "30 calendar days".
constexpr std::size_t max_words_to_unit = 3;

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

/// A document may write small numbers as words.
std::string digits_of(const std::string& word) {
  static const std::map<std::string_view, std::string_view> words{
      {"zero", "0"},   {"one", "1"},  {"two", "2"},  {"three", "3"},
      {"four", "4"},   {"five", "5"}, {"six", "6"},  {"seven", "7"},
      {"eight", "8"},  {"nine", "9"}, {"ten", "10"}, {"eleven", "11"},
      {"twelve", "12"}};
  const auto it = words.find(word);
  return it == words.end() ? word : std::string{it->second};
}

struct quote_marks {
  std::string_view open, close;
};
constexpr quote_marks all_quotes[] = {{"\"", "\""},
                                      {"\u201e", "\u201c"},
                                      {"\u201e", "\u201d"},
                                      {"\u201c", "\u201d"},
                                      {"\u00ab", "\u00bb"}};

using fact_key = std::tuple<fact_kind, std::string, std::string>;

fact_key key_of(const fact& one) {
  return {one.kind, one.words, one.unit};
}

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

/// A document in which facts are looked for.
class fact_index {
public:
  explicit fact_index(std::string_view text)
      : plain_(plain_text(text)), words_(words_of(text)) {
    for (const auto& one : fact_reader{}.read(text))
      facts_.insert(key_of(one));
    for (std::size_t i = 0; i < words_.size(); ++i) {
      places_[digits_of(words_[i])].push_back(i);
      words_[i] = singular(words_[i]);
    }
  }

  [[nodiscard]] bool has(const fact& one) const {
    if (facts_.contains(key_of(one))) return true;
    if (one.kind == fact_kind::code) return has_words(plain_, one.words);
    if (one.kind == fact_kind::quote)
      return has_words_or_plural(plain_, one.words);
    const auto found = places_.find(one.words);
    if (found == places_.end()) return false;
    return one.unit.empty()
           || std::any_of(found->second.begin(), found->second.end(),
                          [&](auto at) { return has_unit(at, one.unit); });
  }

private:
  [[nodiscard]] bool has_unit(std::size_t at, const std::string& unit) const {
    const auto end = std::min(words_.size(), at + 1 + max_words_to_unit);
    for (auto i = at > 0 ? at - 1 : at; i < end; ++i)
      if (words_[i] == unit) return true;
    return false;
  }

  std::set<fact_key> facts_;
  std::string plain_;
  std::vector<std::string> words_;
  std::map<std::string, std::vector<std::size_t>> places_;
};

} // namespace

std::vector<std::string> facts_of(std::string_view text) {
  std::vector<std::string> out;
  for (auto& one : fact_reader{}.read(text))
    out.push_back(std::move(one.shown));
  return out;
}

std::vector<std::string> lost_facts(std::string_view before,
                                    std::string_view after) {
  const fact_index there{after};
  std::vector<std::string> out;
  for (auto& one : fact_reader{}.read(before))
    if (!there.has(one)) out.push_back(std::move(one.shown));
  return out;
}

std::string without_points(std::string_view body,
                           const std::vector<line_evidence>& evidence,
                           const std::set<insight_id>& dropped) {
  std::set<std::uint32_t> gone;
  for (const auto& line : evidence)
    if (!line.insights.empty()
        && std::all_of(line.insights.begin(), line.insights.end(),
                       [&](const auto& id) { return dropped.contains(id); }))
      gone.insert(line.line);
  std::string out;
  std::uint32_t number = 0;
  for (const auto line : split(body, '\n'))
    if (!gone.contains(++number)) out.append(line).append("\n");
  return out;
}

std::vector<std::size_t> unused_insights(const numbered_insights& insights,
                                         const integrate_result& made) {
  std::set<insight_id> cited;
  for (const auto& line : made.evidence)
    cited.insert(line.insights.begin(), line.insights.end());
  const fact_index there{made.body};
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < insights.shown.size(); ++i) {
    const auto& item = *insights.shown[i]->item;
    if (cited.contains(item.id)) continue;
    bool any = false, all = true;
    for (const auto& one : fact_reader{}.read(item.sentence))
      if (one.kind == fact_kind::code) {
        any = true;
        all = all && there.has(one);
      }
    if (!any || !all) out.push_back(i);
  }
  return out;
}

} // namespace brewery
