/// Groups, repeats and flags of a regular expression.
#include "base/utf8.hpp"
#include "envs/osworld/grading/python/py_regex_tree.hpp"

#include <map>

namespace brewery::osworld {

namespace {

constexpr int groups_deep_most = 100;

class regex_parser {
public:
  regex_parser(std::string_view pattern, regex_flags flags)
      : text_(pattern), flags_(flags) {}

  result<pattern_tree> parse() {
    out_.root = choice(0);
    if (!text_.done()) text_.fail("unbalanced parenthesis");
    if (!text_.problem().empty())
      return regex_refused(text_.problem(), text_.position());
    return std::move(out_);
  }

private:
  pattern_node choice(int deep) {
    if (deep > groups_deep_most)
      text_.fail("too many groups inside each other");
    pattern_node out{.is = node_form::choice};
    do
      out.parts.push_back(sequence(deep));
    while (!text_.done() && text_.take(U"|"));
    return out.parts.size() == 1 ? std::move(out.parts[0]) : out;
  }

  void skip_verbose() {
    while (flags_.verbose && !text_.done())
      if (text_.peek() == ' ' || (text_.peek() >= 9 && text_.peek() <= 13))
        text_.next();
      else if (text_.peek() == '#')
        while (!text_.done() && text_.peek() != '\n')
          text_.next();
      else
        break;
  }

  pattern_node sequence(int deep) {
    pattern_node out;
    for (skip_verbose();
         !text_.done() && text_.peek() != '|' && text_.peek() != ')';
         skip_verbose()) {
      auto part = item(deep);
      if (!part) continue; // flags or a comment
      skip_verbose();
      out.parts.push_back(repeated(std::move(*part)));
    }
    return out;
  }

  pattern_node repeated(pattern_node part) {
    std::size_t least = 0, most = 0;
    if (!text_.repeat_mark(least, most)) return part;
    if (part.is == node_form::leaf && width_of(part) == std::size_t{0})
      text_.fail("nothing to repeat");
    pattern_node out{.is = node_form::repeat, .least = least, .most = most};
    out.lazy = text_.take(U"?");
    out.parts.push_back(std::move(part));
    if (!text_.done() && text_.peek() == '+')
      text_.fail("possessive repeats are not supported");
    std::size_t again_least = 0, again_most = 0;
    if (!text_.done() && text_.repeat_mark(again_least, again_most))
      text_.fail("multiple repeat");
    return out;
  }

  pattern_node leaf(step_kind kind, char32_t character = 0, std::size_t a = 0) {
    return {.is = node_form::leaf,
            .step = {.kind = kind,
                     .character = character,
                     .a = a,
                     .ignore_case = flags_.ignore_case,
                     .dot_all = flags_.dot_all,
                     .ascii = flags_.ascii}};
  }

  std::optional<pattern_node> item(int deep) {
    const auto c = text_.peek();
    switch (c) {
    case '(':
      return group(deep);
    case '[':
      return leaf(step_kind::one_of, 0, add_class(text_.set()));
    case '\\':
      return escape();
    case '*':
    case '+':
    case '?':
      text_.fail("nothing to repeat");
      return leaf(step_kind::any);
    default:
      break;
    }
    text_.next();
    if (c == '.') return leaf(step_kind::any);
    if (c == '^')
      return leaf(flags_.multi_line ? step_kind::line_begin : step_kind::begin);
    if (c == '$')
      return leaf(flags_.multi_line ? step_kind::line_end : step_kind::dollar);
    return leaf(step_kind::character, c);
  }

  std::string group_name(char32_t closing) {
    std::string out;
    while (!text_.done() && text_.peek() != closing)
      append_utf8(text_.next(), out);
    text_.next();
    return out;
  }

  pattern_node inside(int deep, pattern_node out) {
    const auto outer = flags_;
    out.parts.push_back(choice(deep + 1));
    flags_ = outer;
    if (!text_.take(U")")) text_.fail("missing ), unterminated subpattern");
    return out;
  }

  std::optional<pattern_node> group(int deep) {
    text_.next();
    if (!text_.take(U"?")) {
      const auto index = ++out_.groups;
      return inside(deep, {.is = node_form::group, .number = index});
    }
    if (text_.take(U"#")) {
      while (!text_.done() && text_.peek() != ')')
        text_.next();
      if (!text_.take(U")")) text_.fail("missing ), unterminated comment");
      return {};
    }
    if (text_.take(U":")) return inside(deep, {.is = node_form::group});
    if (text_.take(U"=")) return inside(deep, {.is = node_form::look});
    if (text_.take(U"!"))
      return inside(deep, {.is = node_form::look, .negated = true});
    if (text_.take(U"<="))
      return inside(deep, {.is = node_form::look, .ahead = false});
    if (text_.take(U"<!"))
      return inside(deep,
                    {.is = node_form::look, .ahead = false, .negated = true});
    if (text_.take(U"P<")) {
      const auto name = group_name('>');
      const auto index = ++out_.groups;
      if (!names_.emplace(name, index).second)
        text_.fail("redefinition of a group");
      return inside(deep, {.is = node_form::group, .number = index});
    }
    if (text_.take(U"P=")) {
      const auto found = names_.find(group_name(')'));
      if (found == names_.end()) text_.fail("unknown group name");
      return leaf(step_kind::back_reference, 0,
                  found == names_.end() ? 0 : found->second);
    }
    return flag_group(deep);
  }

  bool set_flag(char32_t letter, bool value) {
    constexpr std::pair<char32_t, bool regex_flags::*> known[] = {
        {U'i', &regex_flags::ignore_case},
        {U'm', &regex_flags::multi_line},
        {U's', &regex_flags::dot_all},
        {U'x', &regex_flags::verbose},
        {U'a', &regex_flags::ascii}};
    for (const auto& [name, flag] : known)
      if (name == letter) {
        flags_.*flag = value;
        return true;
      }
    return letter == 'u';
  }

  /// (?i) for the whole, at its start; (?i:...) and (?-i:...) for a part.
  std::optional<pattern_node> flag_group(int deep) {
    const auto outer = flags_;
    const bool at_start = text_.position() == 2;
    bool value = true;
    for (; !text_.done() && text_.peek() != ')' && text_.peek() != ':';
         text_.next())
      if (text_.peek() == '-' && value)
        value = false;
      else if (!set_flag(text_.peek(), value))
        return text_.fail("unknown extension"), leaf(step_kind::any);
    if (text_.take(U")")) {
      if (!at_start)
        text_.fail("global flags not at the start of the expression");
      return {};
    }
    text_.next();
    auto out = inside(deep, {.is = node_form::group});
    flags_ = outer;
    return out;
  }

  std::size_t add_class(character_class made) {
    out_.classes.push_back(std::move(made));
    return out_.classes.size() - 1;
  }

  pattern_node escape() {
    text_.next();
    if (text_.done())
      return text_.fail("bad escape (end of pattern)"), leaf({});
    const auto c = text_.peek();
    if (regex_characters::is_class_letter(c)) {
      text_.next();
      return leaf(step_kind::one_of, 0,
                  add_class({{}, std::string(1, static_cast<char>(c)), false}));
    }
    if (text_.take(U"A")) return leaf(step_kind::begin);
    if (text_.take(U"Z")) return leaf(step_kind::end);
    if (text_.take(U"b")) return leaf(step_kind::boundary);
    if (text_.take(U"B")) return leaf(step_kind::no_boundary);
    if (const auto one = text_.escaped_character(false))
      return leaf(step_kind::character, *one);
    if (c >= '1' && c <= '9') {
      std::size_t index = text_.next() - U'0';
      if (text_.peek() >= '0' && text_.peek() <= '9')
        index = index * 10 + (text_.next() - U'0');
      if (index > out_.groups) text_.fail("invalid group reference");
      return leaf(step_kind::back_reference, 0, index);
    }
    return text_.fail("bad escape"), leaf(step_kind::any);
  }

  regex_characters text_;
  regex_flags flags_;
  std::map<std::string, std::size_t> names_;
  pattern_tree out_{};
};

} // namespace

result<pattern_tree> parse_regex(std::string_view pattern, regex_flags flags) {
  return regex_parser{pattern, flags}.parse();
}

} // namespace brewery::osworld
