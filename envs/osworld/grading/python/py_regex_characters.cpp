#include "envs/osworld/grading/python/py_regex_characters.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

namespace brewery::osworld {

regex_characters::regex_characters(std::string_view pattern) {
  for (std::size_t at = 0; at < pattern.size();) {
    const auto next = decode_utf8(pattern, at);
    text_ += next.value;
    at += next.size;
  }
}

void regex_characters::fail(const char* what) {
  if (problem_.empty()) problem_ = what;
  at_ = text_.size();
}

bool regex_characters::take(std::u32string_view wanted) {
  if (std::u32string_view{text_}.substr(at_, wanted.size()) != wanted)
    return false;
  at_ += wanted.size();
  return true;
}

std::optional<std::size_t> regex_characters::number() {
  std::size_t out = 0;
  const auto from = at_;
  while (peek() >= '0' && peek() <= '9' && at_ - from < 9)
    out = out * 10 + (text_[at_++] - U'0');
  if (at_ == from) return {};
  return out;
}

bool regex_characters::counts(std::size_t& least, std::size_t& most) {
  const auto from = at_;
  ++at_;
  const auto low = number();
  const bool comma = take(U",");
  const auto high = comma ? number() : low;
  if ((!low && !comma) || !take(U"}")) {
    at_ = from;
    return false;
  }
  least = low.value_or(0);
  most = high ? *high : no_end;
  if (most < least) fail("min repeat greater than max repeat");
  return true;
}

bool regex_characters::repeat_mark(std::size_t& least, std::size_t& most) {
  most = no_end;
  least = 0;
  if (take(U"*")) return true;
  if (take(U"+")) return least = 1, true;
  if (take(U"?")) return most = 1, true;
  return peek() == '{' && counts(least, most);
}

std::optional<char32_t> regex_characters::hexadecimal(std::size_t digits) {
  char32_t out = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const auto c = peek();
    const int value = c >= '0' && c <= '9'   ? static_cast<int>(c - '0')
                      : c >= 'a' && c <= 'f' ? static_cast<int>(c - 'a') + 10
                      : c >= 'A' && c <= 'F' ? static_cast<int>(c - 'A') + 10
                                             : -1;
    if (value < 0) return fail("incomplete escape"), U'\0';
    out = out * 16 + static_cast<char32_t>(value);
    ++at_;
  }
  return out;
}

std::optional<char32_t> regex_characters::escaped_character(bool in_set) {
  const auto c = peek();
  switch (c) {
  case 'n':
    return ++at_, U'\n';
  case 't':
    return ++at_, U'\t';
  case 'r':
    return ++at_, U'\r';
  case 'f':
    return ++at_, U'\f';
  case 'v':
    return ++at_, U'\v';
  case 'a':
    return ++at_, U'\a';
  case 'x':
    return ++at_, hexadecimal(2);
  case 'u':
    return ++at_, hexadecimal(4);
  case 'U':
    return ++at_, hexadecimal(8);
  default:
    break;
  }
  if (in_set && c == 'b') return ++at_, U'\b';
  const auto octal = [](char32_t digit) {
    return digit >= '0' && digit <= '7';
  };
  if (c == '0' || (octal(c) && octal(peek(1)) && octal(peek(2)))
      || (in_set && octal(c))) {
    char32_t value = 0;
    for (int i = 0; i < 3 && octal(peek()); ++i)
      value = value * 8 + (text_[at_++] - U'0');
    return value;
  }
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (letter || (c >= '0' && c <= '9')) return {};
  return ++at_, c;
}

bool regex_characters::is_class_letter(char32_t c) {
  return c < 0x80
         && std::string_view{"dDwWsS"}.find(static_cast<char>(c))
                != std::string_view::npos;
}

/// One end of a range in a set; a class of characters has no place there.
std::optional<char32_t> regex_characters::set_character(character_class& into) {
  if (peek() != '\\') return text_[at_++];
  ++at_;
  if (is_class_letter(peek())) {
    into.kinds += static_cast<char>(text_[at_++]);
    return {};
  }
  const auto one = escaped_character(true);
  if (!one) fail("bad escape in a set");
  return one;
}

character_class regex_characters::set() {
  ++at_;
  character_class made;
  made.negated = take(U"^");
  for (bool first = true; !done() && (first || peek() != ']'); first = false) {
    const auto from = set_character(made);
    if (peek() != '-' || peek(1) == ']' || at_ + 1 >= text_.size()) {
      if (from) made.ranges.emplace_back(*from, *from);
      continue;
    }
    ++at_;
    const auto to = set_character(made);
    if (!from || !to || *to < *from) {
      fail("bad character range");
      break;
    }
    made.ranges.emplace_back(*from, *to);
  }
  if (!take(U"]")) fail("unterminated character set");
  return made;
}

error regex_refused(std::string_view what, std::size_t position) {
  return {ec::malformed,
          fmt::format("the regular expression is not understood: {} at "
                      "position {}",
                      what, position)};
}

} // namespace brewery::osworld
