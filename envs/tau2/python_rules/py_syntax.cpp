#include "envs/tau2/python_rules/py_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

namespace brewery::tau2 {

namespace {

/// The limit of Python's tokenizer.
constexpr int deepest_level = 200;

error syntax_error(std::string_view what, int line = 1) {
  return {ec::invalid_argument,
          fmt::format("{} (<string>, line {})", what, line)};
}

std::size_t digit_count(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

/// The size of the number that the text begins with; 0 if it does not.
std::size_t number_size(std::string_view text) {
  const std::size_t whole = digit_count(text);
  if (!text.substr(whole).starts_with('.')) return whole;
  const std::size_t fraction = digit_count(text.substr(whole + 1));
  return whole + fraction == 0 ? 0 : whole + 1 + fraction;
}

/// Whether it is an int like 012, which C reads as octal.
bool leading_zero(std::string_view number) {
  return number.starts_with('0') && number.find('.') == std::string_view::npos
         && number.find_first_not_of('0') != std::string_view::npos;
}

/// The operator, parenthesis or point that the text begins with.
py_token symbol(std::string_view text) {
  using kind = py_token_kind;
  for (const std::string_view two : {"**", "//"})
    if (text.starts_with(two))
      return {two == "**" ? kind::power : kind::slash, text.substr(0, 2), 0};
  if (text.starts_with("...")) return {kind::ellipsis, text.substr(0, 3), 0};
  const auto one = text.substr(0, 1);
  switch (text.front()) {
  case '(':
    return {kind::open, one, 0};
  case ')':
    return {kind::close, one, 0};
  case '*':
    return {kind::star, one, 0};
  case '/':
    return {kind::slash, one, 0};
  case '.':
    return {kind::dot, one, 0};
  default:
    return {kind::sign, one, 0};
  }
}

result<std::vector<py_token>> tokens_of(std::string_view text) {
  using kind = py_token_kind;
  std::vector<py_token> tokens;
  int level = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.front() == ' ') {
      ++at;
      continue;
    }
    const std::size_t size = number_size(rest);
    py_token token = size == 0
                         ? symbol(rest)
                         : py_token{kind::number, rest.substr(0, size), 0};
    if (token.kind == kind::number && leading_zero(token.text))
      return syntax_error("leading zeros in decimal integer literals are not "
                          "permitted; use an 0o prefix for octal integers");
    if (token.kind == kind::open && level++ == deepest_level)
      return syntax_error("too many nested parentheses");
    if (token.kind == kind::close && level-- == 0)
      return syntax_error("unmatched ')'");
    token.level = level;
    tokens.push_back(token);
    at += token.text.size();
  }
  tokens.push_back({kind::end, {}, level});
  return tokens;
}

/// Recognises an expression like Python's parser: each rule takes as much as it
/// can, and a rule that fails gives back what it took. After a failure Python
/// parses again with further rules that only serve to name it. These may read
/// on to the end, and then an open parenthesis is the failure.
class recogniser {
public:
  recogniser(const std::vector<py_token>& tokens, bool naming)
      : tokens_(tokens), naming_(naming) {}

  bool whole() { return expression() && peek() == kind::end; }

  /// A failure with a name of its own.
  [[nodiscard]] const std::optional<error>& named() const { return named_; }

private:
  using kind = py_token_kind;

  kind peek() {
    if (tokens_[at_].kind == kind::end && tokens_[at_].level != 0)
      name("'(' was never closed");
    return tokens_[at_].kind;
  }

  bool take(kind wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  /// The first name stands, and every rule fails from then on.
  void name(std::string_view what) {
    if (!named_) named_ = syntax_error(what);
  }

  bool expression() {
    if (!sum()) return false;
    if (naming_) name_missing_comma();
    return !named_;
  }

  /// A second expression directly after the first. Only the naming rules look,
  /// and those of the second expression are off.
  void name_missing_comma() {
    if (const auto next = peek();
        next != kind::number && next != kind::ellipsis)
      return;
    const std::size_t start = at_;
    naming_ = false;
    if (sum() && !named_ && tokens_[at_ - 1].level != 0)
      name("invalid syntax. Perhaps you forgot a comma?");
    naming_ = true;
    at_ = start;
  }

  bool sum() {
    return chain([this] { return product(); },
                 [this] { return take(kind::sign); });
  }

  bool product() {
    return chain([this] { return factor(); },
                 [this] { return take(kind::star) || take(kind::slash); });
  }

  /// Operands with operators between them. An operator without an operand after
  /// it is given back.
  template <class Operand, class Operator>
  bool chain(Operand operand, Operator op) {
    if (!operand()) return false;
    for (;;) {
      const std::size_t before = at_;
      if (op() && operand()) continue;
      at_ = before;
      return !named_;
    }
  }

  bool factor() {
    const std::size_t start = at_;
    while (take(kind::sign))
      ;
    if (power()) return true;
    at_ = start;
    return false;
  }

  bool power() {
    if (!primary()) return false;
    const std::size_t before = at_;
    if (take(kind::power) && factor()) return true;
    at_ = before;
    return !named_;
  }

  /// An atom, and calls of it.
  bool primary() {
    const bool atom = take(kind::number) || take(kind::ellipsis) || group();
    if (!atom) return false;
    while (call())
      ;
    // A point needs a name after it, so the next token is read, in vain.
    if (peek() == kind::dot) {
      ++at_;
      (void)peek();
      --at_;
    }
    return !named_;
  }

  /// () or an expression in parentheses.
  bool group() {
    const std::size_t start = at_;
    if (!take(kind::open)) return false;
    if (take(kind::close) || (expression() && take(kind::close))) return true;
    if (!named_) name_starred(start);
    at_ = start;
    return false;
  }

  /// (*1) and (**1). The first is read in any case, as it may begin a tuple.
  void name_starred(std::size_t start) {
    at_ = start + 1;
    const bool one = take(kind::star);
    if (!one && !(naming_ && take(kind::power))) return;
    if (expression() && take(kind::close) && naming_)
      name(one ? "cannot use starred expression here"
               : "cannot use double starred expression here");
  }

  /// (), (1), (*1) or (**1) after what is called.
  bool call() {
    const std::size_t start = at_;
    if (!take(kind::open)) return false;
    if (take(kind::close)) return true;
    if (!take(kind::star)) (void)take(kind::power);
    if (expression() && take(kind::close)) return true;
    at_ = start;
    return false;
  }

  const std::vector<py_token>& tokens_;
  bool naming_;
  std::size_t at_ = 0;
  std::optional<error> named_;
};

} // namespace

result<std::vector<py_token>> py_expression(std::string_view text) {
  // A token that does not exist is reported even behind a wrong one.
  auto tokens = tokens_of(text);
  if (!tokens) return tokens;
  if (tokens->size() == 1) return syntax_error("invalid syntax", 0);
  for (const bool naming : {false, true}) {
    recogniser parse{*tokens, naming};
    if (parse.whole()) return tokens;
    if (parse.named()) return *parse.named();
  }
  return syntax_error("invalid syntax");
}

} // namespace brewery::tau2
