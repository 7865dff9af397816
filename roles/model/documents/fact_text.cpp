#include "roles/model/documents/fact_text.hpp"

#include "base/text.hpp"
#include "base/unicode.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace brewery {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_space(char32_t value) {
  return value <= 0x20 || value == 0xa0 || value == 0x202f || value == 0x3000
         || (value >= 0x2000 && value <= 0x200b);
}

bool is_quote(char32_t value) {
  return value == '"' || value == '\'' || value == 0xab || value == 0xbb
         || (value >= 0x2018 && value <= 0x201f);
}

/// Text of code is the same with and without spaces beside these.
bool is_tight(char c) {
  return std::string_view{"()[]{},=<>+/|:"}.find(c) != std::string_view::npos;
}

/// Signs of scripts without spaces, such as Han, are not part of longer words.
bool in_word(char32_t value) {
  const auto kind = kind_of(value);
  return value == '_' || kind == char_kind::letter || kind == char_kind::digit;
}

char32_t before(std::string_view text, std::size_t at) {
  if (at == 0) return ' ';
  do
    --at;
  while (at > 0 && continues_character(text[at]));
  return decode_utf8(text, at).value;
}

char32_t after(std::string_view text, std::size_t at) {
  return at < text.size() ? decode_utf8(text, at).value : char32_t{' '};
}

/// Whether the words at `at` neither begin nor end within a longer one.
bool stands_alone(std::string_view text, std::size_t at, std::size_t size) {
  const auto first = decode_utf8(text, at).value;
  const auto last = before(text, at + size);
  return !(in_word(first) && in_word(before(text, at)))
         && !(in_word(last) && in_word(after(text, at + size)));
}

/// "1,000" as "1000"; "1,5" stays.
std::string without_groups(std::string number) {
  const auto parts = split(number, ',');
  const bool groups =
      std::all_of(parts.begin() + 1, parts.end(), [](auto part) {
        return part.substr(0, 3).size() == 3
               && (part.size() == 3 || part[3] == '.');
      });
  return groups ? replace_all(number, ",", "") : number;
}

/// Splits text into words, in one pass.
class word_reader {
public:
  explicit word_reader(std::string_view text) : text_(text) {}

  std::vector<std::string> read() {
    while (at_ < text_.size()) {
      if (is_digit(text_[at_]))
        number();
      else
        other();
    }
    return std::move(out_);
  }

private:
  void number() {
    const auto begin = at_;
    while (at_ < text_.size()
           && (is_digit(text_[at_])
               || ((text_[at_] == '.' || text_[at_] == ',')
                   && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))))
      ++at_;
    out_.push_back(
        without_groups(std::string{text_.substr(begin, at_ - begin)}));
  }

  void other() {
    const auto here = decode_utf8(text_, at_);
    if (in_word(here.value)) {
      const auto begin = at_;
      while (at_ < text_.size() && in_word(after(text_, at_)))
        at_ += decode_utf8(text_, at_).size;
      const auto word = text_.substr(begin, at_ - begin);
      out_.emplace_back(word == "percent" ? "%" : word);
      return;
    }
    if (kind_of(here.value) == char_kind::symbol || here.value == '%')
      out_.emplace_back(text_.substr(at_, here.size));
    else if (here.value != ' ' && !joins())
      out_.emplace_back();
    at_ += here.size;
  }

  /// A hyphen within a word, and a mark around one, separate nothing.
  [[nodiscard]] bool joins() const {
    if (text_[at_] == '"' || text_[at_] == '$' || text_[at_] == '*')
      return true;
    return text_[at_] == '-' && in_word(before(text_, at_))
           && in_word(after(text_, at_ + 1));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> out_;
};

/// `tight`: without spaces beside signs of code.
std::string plain(std::string_view text, bool tight) {
  std::string out;
  bool space = false; // one is due
  for (std::size_t at = 0; at < text.size();) {
    const auto here = decode_utf8(text, at);
    if (text.substr(at).starts_with("**")) {
      at += 2;
      continue;
    }
    at += here.size;
    if (here.value == '`') continue;
    if (is_space(here.value)) {
      space = true;
      continue;
    }
    const auto value = is_quote(here.value) ? U'"' : to_lower(here.value);
    const bool beside = (value < 0x80 && is_tight(static_cast<char>(value)))
                        || (!out.empty() && is_tight(out.back()));
    if (space && !(tight && beside) && !out.empty()) out += ' ';
    space = false;
    append_utf8(value, out);
  }
  return out;
}

} // namespace

std::string plain_text(std::string_view text) {
  return plain(text, true);
}

bool has_words(std::string_view plain, std::string_view words) {
  if (words.empty()) return true;
  for (auto at = plain.find(words); at != plain.npos;
       at = plain.find(words, at + 1))
    if (stands_alone(plain, at, words.size())) return true;
  return false;
}

bool has_words_or_plural(std::string_view plain, std::string_view words) {
  const auto one = singular(std::string{words});
  return has_words(plain, words) || has_words(plain, one)
         || has_words(plain, one + "s") || has_words(plain, one + "es")
         || (one.ends_with('y')
             && has_words(plain, one.substr(0, one.size() - 1) + "ies"));
}

std::vector<std::string> words_of(std::string_view text) {
  std::string joined;
  for (const auto line : split(text, '\n')) {
    const auto words = without_list_mark(line);
    joined += words.size() < trim(line).size() || words.empty() ? " ; " : " ";
    joined += words;
  }
  // "0, 1" must not become one number.
  const auto loose = plain(joined, false);
  return word_reader{loose}.read();
}

std::string singular(std::string word) {
  const auto ends = [&](std::string_view end) {
    return word.size() > end.size() + 1 && word.ends_with(end);
  };
  if (ends("ies")) return word.replace(word.size() - 3, 3, "y");
  for (const auto* end : {"sses", "xes", "ches", "shes"})
    if (ends(end)) return word.substr(0, word.size() - 2);
  if (ends("s") && !word.ends_with("ss")) word.pop_back();
  return word;
}

std::string_view without_list_mark(std::string_view line) {
  line = trim(line);
  if (line.starts_with("- ") || line.starts_with("* ")
      || line.starts_with("+ "))
    return trim(line.substr(2));
  const auto digits = line.find_first_not_of("0123456789");
  if (digits != 0 && digits != line.npos
      && (line[digits] == '.' || line[digits] == ')')
      && (digits + 1 == line.size() || line[digits + 1] == ' '))
    return trim(line.substr(digits + 1));
  return line;
}

} // namespace brewery
