#include "base/text.hpp"
#include "base/utf8.hpp"
#include "envs/osworld/grading/python/py_regex_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace brewery::osworld {

namespace {

constexpr std::size_t program_steps_most = 50'000;
constexpr int groups_deep_most = 100;
constexpr std::size_t no_end = static_cast<std::size_t>(-1);

/// A pattern as a tree; `step` holds what a leaf compiles to.
struct pattern_node {
  enum class form : std::uint8_t {
    leaf,
    sequence,
    choice,
    repeat,
    group,
    look
  };
  form is = form::sequence;
  regex_step step{};
  std::vector<pattern_node> parts{};
  std::size_t least = 0, most = 0; ///< of `repeat`
  bool lazy = false;
  std::size_t number = 0; ///< of `group`; 0: captures nothing
  bool ahead = true, negated = false;
};
using node_form = pattern_node::form;

/// Width in characters, if it is the same for every match.
std::optional<std::size_t> width_of(const pattern_node& node) {
  const auto sum = [&]() -> std::optional<std::size_t> {
    std::size_t out = 0;
    for (const auto& part : node.parts) {
      const auto width = width_of(part);
      if (!width) return {};
      out += *width;
    }
    return out;
  };
  switch (node.is) {
  case node_form::leaf:
    switch (node.step.kind) {
    case step_kind::character:
    case step_kind::any:
    case step_kind::one_of:
      return 1;
    case step_kind::back_reference:
      return {};
    default:
      return 0;
    }
  case node_form::look:
    return 0;
  case node_form::repeat: {
    const auto width = width_of(node.parts[0]);
    if (!width || node.least != node.most) return {};
    return *width * node.least;
  }
  case node_form::choice: {
    const auto first = width_of(node.parts[0]);
    for (const auto& part : node.parts)
      if (width_of(part) != first) return {};
    return first;
  }
  default:
    return sum();
  }
}

class regex_compiler {
public:
  regex_compiler(std::string_view pattern, regex_flags flags) : flags_(flags) {
    for (std::size_t at = 0; at < pattern.size();) {
      const auto next = decode_utf8(pattern, at);
      text_ += next.value;
      at += next.size;
    }
  }

  result<std::shared_ptr<const py_regex::program>> compile() {
    auto tree = choice(0);
    if (at_ < text_.size()) fail("unbalanced parenthesis");
    if (!problem_.empty()) return refused();
    out_.groups = groups_;
    out_.registers = 2 * (groups_ + 1);
    emit(tree);
    add({.kind = step_kind::match});
    if (!problem_.empty()) return refused();
    return std::shared_ptr<const py_regex::program>{
        std::make_shared<py_regex::program>(std::move(out_))};
  }

private:
  error refused() const {
    return {ec::malformed,
            fmt::format("the regular expression is not understood: {} at "
                        "position {}",
                        problem_, at_)};
  }
  void fail(const char* what) {
    if (problem_.empty()) problem_ = what;
    at_ = text_.size();
  }
  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] char32_t peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : U'\0';
  }
  bool take(std::u32string_view wanted) {
    if (std::u32string_view{text_}.substr(at_, wanted.size()) != wanted)
      return false;
    at_ += wanted.size();
    return true;
  }

  // -- reading ---------------------------------------------------------------

  pattern_node choice(int deep) {
    if (deep > groups_deep_most) fail("too many groups inside each other");
    pattern_node out{.is = node_form::choice};
    do
      out.parts.push_back(sequence(deep));
    while (!done() && take(U"|"));
    return out.parts.size() == 1 ? std::move(out.parts[0]) : out;
  }

  void skip_verbose() {
    while (flags_.verbose && !done())
      if (peek() == ' ' || (peek() >= 9 && peek() <= 13))
        ++at_;
      else if (peek() == '#')
        while (!done() && peek() != '\n')
          ++at_;
      else
        break;
  }

  pattern_node sequence(int deep) {
    pattern_node out;
    for (skip_verbose(); !done() && peek() != '|' && peek() != ')';
         skip_verbose()) {
      auto part = item(deep);
      if (!part) continue; // flags or a comment
      skip_verbose();
      out.parts.push_back(repeated(std::move(*part)));
    }
    return out;
  }

  std::optional<std::size_t> number() {
    std::size_t out = 0;
    const auto from = at_;
    while (peek() >= '0' && peek() <= '9' && at_ - from < 9)
      out = out * 10 + (text_[at_++] - U'0');
    if (at_ == from) return {};
    return out;
  }

  /// Reads {m}, {m,}, {,n}, {m,n} or {,}; anything else is literal.
  bool counts(std::size_t& least, std::size_t& most) {
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

  bool repeat_mark(std::size_t& least, std::size_t& most) {
    most = no_end;
    least = 0;
    if (take(U"*")) return true;
    if (take(U"+")) return least = 1, true;
    if (take(U"?")) return most = 1, true;
    return peek() == '{' && counts(least, most);
  }

  pattern_node repeated(pattern_node part) {
    std::size_t least = 0, most = 0;
    if (!repeat_mark(least, most)) return part;
    if (part.is == node_form::leaf && width_of(part) == std::size_t{0})
      fail("nothing to repeat");
    pattern_node out{.is = node_form::repeat, .least = least, .most = most};
    out.lazy = take(U"?");
    out.parts.push_back(std::move(part));
    if (!done() && peek() == '+') fail("possessive repeats are not supported");
    std::size_t again_least = 0, again_most = 0;
    if (!done() && repeat_mark(again_least, again_most))
      fail("multiple repeat");
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
    const auto c = text_[at_];
    switch (c) {
    case '(':
      return group(deep);
    case '[':
      return set();
    case '\\':
      return escape();
    case '*':
    case '+':
    case '?':
      fail("nothing to repeat");
      return leaf(step_kind::any);
    default:
      break;
    }
    ++at_;
    if (c == '.') return leaf(step_kind::any);
    if (c == '^')
      return leaf(flags_.multi_line ? step_kind::line_begin : step_kind::begin);
    if (c == '$')
      return leaf(flags_.multi_line ? step_kind::line_end : step_kind::dollar);
    return leaf(step_kind::character, c);
  }

  std::string group_name(char32_t closing) {
    std::string out;
    while (!done() && peek() != closing)
      append_utf8(text_[at_++], out);
    ++at_;
    return out;
  }

  pattern_node inside(int deep, pattern_node out) {
    const auto outer = flags_;
    out.parts.push_back(choice(deep + 1));
    flags_ = outer;
    if (!take(U")")) fail("missing ), unterminated subpattern");
    return out;
  }

  std::optional<pattern_node> group(int deep) {
    ++at_;
    if (!take(U"?")) {
      const auto index = ++groups_;
      return inside(deep, {.is = node_form::group, .number = index});
    }
    if (take(U"#")) {
      while (!done() && peek() != ')')
        ++at_;
      if (!take(U")")) fail("missing ), unterminated comment");
      return {};
    }
    if (take(U":")) return inside(deep, {.is = node_form::group});
    if (take(U"=")) return inside(deep, {.is = node_form::look});
    if (take(U"!"))
      return inside(deep, {.is = node_form::look, .negated = true});
    if (take(U"<="))
      return inside(deep, {.is = node_form::look, .ahead = false});
    if (take(U"<!"))
      return inside(deep,
                    {.is = node_form::look, .ahead = false, .negated = true});
    if (take(U"P<")) {
      const auto name = group_name('>');
      const auto index = ++groups_;
      if (!names_.emplace(name, index).second) fail("redefinition of a group");
      return inside(deep, {.is = node_form::group, .number = index});
    }
    if (take(U"P=")) {
      const auto found = names_.find(group_name(')'));
      if (found == names_.end()) fail("unknown group name");
      return leaf(step_kind::back_reference, 0,
                  found == names_.end() ? 0 : found->second);
    }
    return flag_group(deep);
  }

  bool set_flag(char32_t letter, bool value) {
    switch (letter) {
    case 'i':
      flags_.ignore_case = value;
      return true;
    case 'm':
      flags_.multi_line = value;
      return true;
    case 's':
      flags_.dot_all = value;
      return true;
    case 'x':
      flags_.verbose = value;
      return true;
    case 'a':
      flags_.ascii = value;
      return true;
    case 'u':
      return true;
    default:
      return false;
    }
  }

  /// (?i) for the whole, at its start; (?i:...) and (?-i:...) for a part.
  std::optional<pattern_node> flag_group(int deep) {
    const auto outer = flags_;
    const bool at_start = at_ == 2;
    bool value = true;
    for (; !done() && peek() != ')' && peek() != ':'; ++at_)
      if (peek() == '-' && value)
        value = false;
      else if (!set_flag(peek(), value))
        return fail("unknown extension"), leaf(step_kind::any);
    if (take(U")")) {
      if (!at_start) fail("global flags not at the start of the expression");
      return {};
    }
    ++at_;
    auto out = inside(deep, {.is = node_form::group});
    flags_ = outer;
    return out;
  }

  std::size_t add_class(character_class made) {
    out_.classes.push_back(std::move(made));
    return out_.classes.size() - 1;
  }

  std::optional<char32_t> hexadecimal(std::size_t digits) {
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

  /// The character of an escape that means one, after its backslash.
  std::optional<char32_t> escaped_character(bool in_set) {
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

  static bool is_class_letter(char32_t c) {
    return c < 0x80
           && std::string_view{"dDwWsS"}.find(static_cast<char>(c))
                  != std::string_view::npos;
  }

  pattern_node escape() {
    ++at_;
    if (done()) return fail("bad escape (end of pattern)"), leaf({});
    const auto c = peek();
    if (is_class_letter(c)) {
      ++at_;
      return leaf(step_kind::one_of, 0,
                  add_class({{}, std::string(1, static_cast<char>(c)), false}));
    }
    if (take(U"A")) return leaf(step_kind::begin);
    if (take(U"Z")) return leaf(step_kind::end);
    if (take(U"b")) return leaf(step_kind::boundary);
    if (take(U"B")) return leaf(step_kind::no_boundary);
    if (const auto one = escaped_character(false))
      return leaf(step_kind::character, *one);
    if (c >= '1' && c <= '9') {
      std::size_t index = text_[at_++] - U'0';
      if (peek() >= '0' && peek() <= '9')
        index = index * 10 + (text_[at_++] - U'0');
      if (index > groups_) fail("invalid group reference");
      return leaf(step_kind::back_reference, 0, index);
    }
    return fail("bad escape"), leaf(step_kind::any);
  }

  /// One end of a range in a set; a class of characters has no place there.
  std::optional<char32_t> set_character(character_class& into) {
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

  pattern_node set() {
    ++at_;
    character_class made;
    made.negated = take(U"^");
    for (bool first = true; !done() && (first || peek() != ']');
         first = false) {
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
    return leaf(step_kind::one_of, 0, add_class(std::move(made)));
  }

  // -- writing ---------------------------------------------------------------

  std::size_t add(regex_step step) {
    if (out_.steps.size() >= program_steps_most) {
      fail("it is too long");
      return 0;
    }
    out_.steps.push_back(step);
    return out_.steps.size() - 1;
  }
  [[nodiscard]] std::size_t here() const { return out_.steps.size(); }

  void emit(const pattern_node& node) {
    if (!problem_.empty()) return;
    switch (node.is) {
    case node_form::leaf:
      add(node.step);
      return;
    case node_form::sequence:
      for (const auto& part : node.parts)
        emit(part);
      return;
    case node_form::choice:
      emit_choice(node);
      return;
    case node_form::repeat:
      emit_repeat(node);
      return;
    case node_form::group:
      if (node.number > 0) add({.kind = step_kind::save, .a = 2 * node.number});
      emit(node.parts[0]);
      if (node.number > 0)
        add({.kind = step_kind::save, .a = 2 * node.number + 1});
      return;
    case node_form::look:
      emit_look(node);
      return;
    }
  }

  void emit_choice(const pattern_node& node) {
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const bool last = i + 1 == node.parts.size();
      const auto split = last ? 0 : add({.kind = step_kind::split});
      if (!last) out_.steps[split].a = here();
      emit(node.parts[i]);
      if (last) break;
      jumps.push_back(add({.kind = step_kind::jump}));
      out_.steps[split].b = here();
    }
    for (const auto jump : jumps)
      out_.steps[jump].a = here();
  }

  /// A split into the body, or past it; `past` is filled in later.
  std::size_t emit_split(bool lazy) {
    const auto at = add({.kind = step_kind::split});
    (lazy ? out_.steps[at].b : out_.steps[at].a) = here();
    return at;
  }
  void leads_to(std::size_t split, bool lazy, std::size_t past) {
    (lazy ? out_.steps[split].a : out_.steps[split].b) = past;
  }

  void emit_repeat(const pattern_node& node) {
    const auto& body = node.parts[0];
    for (std::size_t i = 0; i < node.least && problem_.empty(); ++i)
      emit(body);
    if (node.most == no_end) {
      const auto mark = out_.registers++;
      const auto split = emit_split(node.lazy);
      add({.kind = step_kind::save_start, .a = mark});
      emit(body);
      add({.kind = step_kind::progress, .a = mark});
      add({.kind = step_kind::jump, .a = split});
      leads_to(split, node.lazy, here());
      return;
    }
    std::vector<std::size_t> splits;
    for (auto i = node.least; i < node.most && problem_.empty(); ++i) {
      splits.push_back(emit_split(node.lazy));
      emit(body);
    }
    for (const auto split : splits)
      leads_to(split, node.lazy, here());
  }

  void emit_look(const pattern_node& node) {
    regex_step step{.kind = step_kind::look, .negated = node.negated};
    if (!node.ahead) {
      const auto width = width_of(node.parts[0]);
      if (!width) return fail("look-behind requires fixed-width pattern");
      step.behind = *width;
    }
    const auto at = add(step);
    out_.steps[at].a = here();
    emit(node.parts[0]);
    add({.kind = step_kind::match});
    out_.steps[at].b = here();
  }

  std::u32string text_;
  std::size_t at_ = 0;
  regex_flags flags_;
  std::size_t groups_ = 0;
  std::map<std::string, std::size_t> names_;
  std::string problem_;
  py_regex::program out_;
};

} // namespace

result<std::shared_ptr<const py_regex::program>>
compile_regex(std::string_view pattern, regex_flags flags) {
  return regex_compiler{pattern, flags}.compile();
}

} // namespace brewery::osworld
