#include "kb/tokenizer.hpp"

#include "base/error.hpp"
#include "base/unicode.hpp"
#include "base/utf8.hpp"

#include <libstemmer.h>

#include <memory>

namespace brewery {

namespace {

struct delete_stemmer {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

/// A Snowball stemmer owns a work buffer, so each thread has its own.
std::string stem(const std::string& word) {
  thread_local const std::unique_ptr<sb_stemmer, delete_stemmer> stemmer{
      sb_stemmer_new("english", "UTF_8")};
  BREWERY_ASSERT(stemmer != nullptr);
  const auto* stemmed = sb_stemmer_stem(
      stemmer.get(), reinterpret_cast<const sb_symbol*>(word.data()),
      static_cast<int>(word.size()));
  BREWERY_ASSERT(stemmed != nullptr);
  return {reinterpret_cast<const char*>(stemmed),
          static_cast<std::size_t>(sb_stemmer_length(stemmer.get()))};
}

bool is_upper(char32_t value) {
  return to_lower(value) != value;
}

bool is_word(char_kind kind) {
  return kind == char_kind::letter || kind == char_kind::digit;
}

/// True if punctuation between two word characters belongs to the word.
bool joins(char32_t mark, char_kind before, char_kind after) {
  const bool digits = before == char_kind::digit && after == char_kind::digit;
  switch (mark) {
  case '.':
    return is_word(before) && is_word(after);
  case '-':
  case ':':
  case ',':
    return digits;
  case '\'':
  case 0x2019: // right single quotation mark, used by word processors
    return before == char_kind::letter && after == char_kind::letter;
  default:
    return false;
  }
}

std::size_t word_end(std::string_view text, std::size_t at) {
  char_kind before = char_kind::separator;
  while (at < text.size()) {
    const code_point here = decode_utf8(text, at);
    char_kind kind = kind_of(here.value);
    if (!is_word(kind)) {
      const std::size_t next = at + here.size;
      if (next >= text.size()) break;
      const auto after = kind_of(decode_utf8(text, next).value);
      if (!joins(here.value, before, after)) break;
      kind = char_kind::separator;
    }
    before = kind;
    at += here.size;
  }
  return at;
}

/// Cuts a word into parts at '_', inner '.' and camelCase boundaries.
class part_splitter {
public:
  explicit part_splitter(std::string_view word) {
    while (at_ < word.size()) {
      const code_point here = decode_utf8(word, at_);
      const std::size_t next = at_ + here.size;
      const char32_t after =
          next < word.size() ? decode_utf8(word, next).value : 0;
      step(here.value, after, next + 1 >= word.size());
      before_ = here.value;
      at_ = next;
    }
    close();
  }

  std::string whole;
  std::vector<std::string> parts;
  bool marked = false; ///< has '_', an inner '.' or a camelCase boundary

private:
  void step(char32_t here, char32_t after, bool after_is_last) {
    if (here == 0x2019) here = '\'';
    const bool digits = kind_of(before_) == char_kind::digit
                        && kind_of(after) == char_kind::digit;
    if (here == '_' || (here == '.' && !digits)) {
      marked = true;
      close();
    } else {
      if (boundary(here, after, after_is_last)) {
        marked = true;
        close();
      }
      append_utf8(to_lower(here), part_);
    }
    append_utf8(to_lower(here), whole);
  }

  /// dataEnabled is cut before E and XMLParser before P, but "SIMs" is a
  /// plural.
  bool boundary(char32_t here, char32_t after, bool after_is_last) const {
    if (part_.empty() || !is_upper(here)) return false;
    if (kind_of(before_) != char_kind::letter) return false;
    if (!is_upper(before_)) return true;
    const bool small =
        kind_of(after) == char_kind::letter && after != '_' && !is_upper(after);
    return small && !(after == 's' && after_is_last);
  }

  void close() {
    if (!part_.empty()) parts.push_back(std::move(part_));
    part_.clear();
  }

  std::string part_;
  std::size_t at_ = 0;
  char32_t before_ = 0;
};

void append_plain(const std::string& word, std::vector<std::string>& terms) {
  const bool has_digit = word.find_first_of("0123456789") != std::string::npos;
  terms.push_back(has_digit ? word : stem(word));
  if (terms.back().empty()) terms.back() = word;
}

} // namespace

std::string_view next_word(std::string_view text, std::size_t& from) {
  while (from < text.size()) {
    const std::size_t begin = from;
    const code_point here = decode_utf8(text, begin);
    const char_kind kind = kind_of(here.value);
    from = begin + here.size;
    if (kind == char_kind::symbol) return text.substr(begin, here.size);
    if (is_word(kind)) {
      from = word_end(text, begin);
      return text.substr(begin, from - begin);
    }
  }
  return {};
}

void append_terms(std::string_view word, std::vector<std::string>& terms) {
  part_splitter split{word};
  if (!split.marked) {
    append_plain(split.whole, terms);
    return;
  }
  if (split.parts.empty()) return; // only underscores
  // "_name" and "name" are one term: only the underscore differs.
  if (split.parts.size() > 1) terms.push_back(split.whole);
  for (const auto& part : split.parts)
    append_plain(part, terms);
}

std::vector<std::string> tokenize(std::string_view text) {
  std::vector<std::string> terms;
  std::size_t at = 0;
  for (auto word = next_word(text, at); !word.empty();
       word = next_word(text, at))
    append_terms(word, terms);
  return terms;
}

} // namespace brewery
