#pragma once
/// The syntax of Python expressions made of digits, + - * / ( ) . and spaces,
/// with the words of its SyntaxError. They are equal in Python 3.11 to 3.13.

#include "base/result.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace brewery::tau2 {

enum class py_token_kind : std::uint8_t {
  number,
  sign,     ///< + or -
  star,     ///< *
  slash,    ///< / or //
  power,    ///< **
  open,     ///< (
  close,    ///< )
  dot,      ///< . without digits
  ellipsis, ///< ...
  end,
};

struct py_token {
  py_token_kind kind;
  std::string_view text;
  int level; ///< open parentheses after it
};

/// The tokens of a valid expression, `end` last; they point into the text. Else
/// ec::invalid_argument with str() of what eval() raises.
///
/// Without brackets, letters and commas there is one tuple, (), and a call has
/// at most one argument.
result<std::vector<py_token>> py_expression(std::string_view text);

} // namespace brewery::tau2
