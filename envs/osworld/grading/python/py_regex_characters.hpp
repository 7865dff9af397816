#pragma once
/// Reads the characters of a regular expression: escapes, sets, counts; private
/// to py_regex*.cpp.

#include "envs/osworld/grading/python/py_regex_program.hpp"

#include <optional>

namespace brewery::osworld {

/// `most` of a repeat without an end.
inline constexpr std::size_t no_end = static_cast<std::size_t>(-1);

/// The text, a position in it, and the first thing that is wrong with it.
class regex_characters {
public:
  explicit regex_characters(std::string_view pattern);

  void fail(const char* what);
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::size_t position() const { return at_; }
  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] char32_t peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : U'\0';
  }
  /// It may not be at the end.
  char32_t next() { return text_[at_++]; }
  bool take(std::u32string_view wanted);

  /// *, +, ? or counts in braces; false: none of them is here.
  bool repeat_mark(std::size_t& least, std::size_t& most);
  /// The character of an escape that means one, after its backslash.
  std::optional<char32_t> escaped_character(bool in_set);
  /// From its [ to its ].
  character_class set();
  /// Whether \c is a class of characters.
  static bool is_class_letter(char32_t c);

private:
  /// Up to nine digits.
  std::optional<std::size_t> number();
  /// Reads {m}, {m,}, {,n}, {m,n} or {,}; anything else is literal.
  bool counts(std::size_t& least, std::size_t& most);
  std::optional<char32_t> hexadecimal(std::size_t digits);
  std::optional<char32_t> set_character(character_class& into);

  std::u32string text_;
  std::size_t at_ = 0;
  std::string problem_;
};

error regex_refused(std::string_view what, std::size_t position);

} // namespace brewery::osworld
