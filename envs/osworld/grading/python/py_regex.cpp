#include "envs/osworld/grading/python/py_regex.hpp"

#include "base/utf8.hpp"
#include "base/word_characters.hpp"
#include "envs/osworld/grading/python/py_regex_program.hpp"

#include <algorithm>

namespace brewery::osworld {

namespace {

/// Beyond it, a pattern is one that backtracks without end.
constexpr std::size_t regex_steps_most = 20'000'000;
constexpr std::size_t unset = static_cast<std::size_t>(-1);

bool is_word(char32_t c, bool ascii) {
  if (c == '_') return true;
  return (!ascii || c < 0x80) && is_alphanumeric(c);
}

bool has_kind(char kind, char32_t c, bool ascii) {
  switch (kind) {
  case 'd':
    return (!ascii || c < 0x80) && is_decimal(c);
  case 'D':
    return !has_kind('d', c, ascii);
  case 'w':
    return is_word(c, ascii);
  case 'W':
    return !is_word(c, ascii);
  case 's':
    return ascii ? c == ' ' || (c >= 9 && c <= 13) : is_space(c);
  default:
    return !has_kind('s', c, ascii);
  }
}

bool holds(const character_class& set, char32_t c, bool ascii) {
  return std::any_of(set.ranges.begin(), set.ranges.end(),
                     [c](const auto& range) {
                       return range.first <= c && c <= range.second;
                     })
         || std::any_of(set.kinds.begin(), set.kinds.end(),
                        [&](char kind) { return has_kind(kind, c, ascii); });
}

char32_t swapped_case(char32_t c) {
  if (c >= 'a' && c <= 'z') return c - 32;
  return to_lower(c);
}

class regex_run {
public:
  regex_run(const py_regex::program& of, const std::u32string& text)
      : program_(of), text_(text), registers_(of.registers, unset) {}

  bool match_at(std::size_t position) {
    std::fill(registers_.begin(), registers_.end(), unset);
    return run(0, position);
  }
  [[nodiscard]] bool exhausted() const { return count_ > regex_steps_most; }
  [[nodiscard]] std::size_t end() const { return end_; }
  [[nodiscard]] std::pair<std::size_t, std::size_t>
  group(std::size_t number) const {
    return {registers_[2 * number], registers_[2 * number + 1]};
  }

private:
  /// An alternative to return to, or a register to restore.
  struct entry {
    bool restores = false;
    std::size_t where = 0; ///< step, or register
    std::size_t value = 0; ///< position, or the register's old value
  };

  void set(std::vector<entry>& stack, std::size_t number, std::size_t value) {
    stack.push_back({true, number, registers_[number]});
    registers_[number] = value;
  }

  /// Takes the last alternative. False: there is none.
  bool back(std::vector<entry>& stack, std::size_t& step, std::size_t& at) {
    while (!stack.empty()) {
      const auto last = stack.back();
      stack.pop_back();
      if (!last.restores) {
        step = last.where;
        at = last.value;
        return true;
      }
      registers_[last.where] = last.value;
    }
    return false;
  }

  bool run(std::size_t step, std::size_t at) {
    std::vector<entry> stack;
    for (;;) {
      if (++count_ > regex_steps_most) return false;
      const auto& now = program_.steps[step];
      if (now.kind == step_kind::match) {
        end_ = at;
        return true;
      }
      if (now.kind == step_kind::split) {
        stack.push_back({false, now.b, at});
        step = now.a;
      } else if (now.kind == step_kind::jump) {
        step = now.a;
      } else if (now.kind == step_kind::save
                 || now.kind == step_kind::save_start) {
        set(stack, now.a, at);
        ++step;
      } else if (now.kind == step_kind::look && look(now, at, stack)) {
        step = now.b;
      } else if (now.kind != step_kind::look && passes(now, at)) {
        ++step;
      } else if (!back(stack, step, at)) {
        return false;
      }
    }
  }

  bool look(const regex_step& now, std::size_t at, std::vector<entry>& stack) {
    const auto before = registers_;
    const bool found = at >= now.behind && run(now.a, at - now.behind);
    if (exhausted() || found == now.negated) {
      registers_ = before;
      return false;
    }
    // Groups of a positive one stay set until this is undone.
    for (std::size_t i = 0; i < before.size(); ++i)
      if (registers_[i] != before[i]) stack.push_back({true, i, before[i]});
    return true;
  }

  /// Steps that consume characters, or test the position.
  bool passes(const regex_step& now, std::size_t& at) {
    switch (now.kind) {
    case step_kind::progress:
      return registers_[now.a] != at;
    case step_kind::begin:
      return at == 0;
    case step_kind::line_begin:
      return at == 0 || text_[at - 1] == '\n';
    case step_kind::end:
      return at == text_.size();
    case step_kind::dollar:
      return at == text_.size()
             || (at + 1 == text_.size() && text_[at] == '\n');
    case step_kind::line_end:
      return at == text_.size() || text_[at] == '\n';
    case step_kind::boundary:
      return at_boundary(at, now.ascii);
    case step_kind::no_boundary:
      return !at_boundary(at, now.ascii);
    case step_kind::back_reference:
      return repeats(now, at);
    default:
      return at < text_.size() && fits(now, text_[at]) && (++at, true);
    }
  }

  bool fits(const regex_step& now, char32_t c) const {
    if (now.kind == step_kind::any) return now.dot_all || c != '\n';
    if (now.kind == step_kind::character)
      return c == now.character
             || (now.ignore_case && to_lower(c) == to_lower(now.character));
    const auto& set = program_.classes[now.a];
    const bool found =
        holds(set, c, now.ascii)
        || (now.ignore_case && holds(set, swapped_case(c), now.ascii));
    return found != set.negated;
  }

  [[nodiscard]] bool at_boundary(std::size_t at, bool ascii) const {
    const bool before = at > 0 && is_word(text_[at - 1], ascii);
    const bool after = at < text_.size() && is_word(text_[at], ascii);
    return before != after;
  }

  bool repeats(const regex_step& now, std::size_t& at) const {
    const auto from = registers_[2 * now.a], to = registers_[2 * now.a + 1];
    if (from == unset || to == unset || to - from > text_.size() - at)
      return false;
    for (std::size_t i = from; i < to; ++i, ++at)
      if (text_[i] != text_[at]
          && !(now.ignore_case && to_lower(text_[i]) == to_lower(text_[at])))
        return false;
    return true;
  }

  const py_regex::program& program_;
  const std::u32string& text_;
  std::vector<std::size_t> registers_;
  std::size_t count_ = 0;
  std::size_t end_ = 0; ///< of the last match
};

std::u32string characters_of(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    out += next.value;
    at += next.size;
  }
  return out;
}

std::string text_between(const std::u32string& from, std::size_t begin,
                         std::size_t end) {
  std::string out;
  for (auto at = begin; at < end; ++at)
    append_utf8(from[at], out);
  return out;
}

error too_slow() {
  return {ec::exhausted,
          "a regular expression takes too many steps on this text"};
}

} // namespace

result<py_regex> py_regex::compile(std::string_view pattern,
                                   regex_flags flags) {
  auto made = compile_regex(pattern, flags);
  if (!made) return made.error();
  return py_regex{std::move(*made)};
}

result<bool> py_regex::search(std::string_view text) const {
  const auto characters = characters_of(text);
  regex_run run{*program_, characters};
  for (std::size_t at = 0; at <= characters.size(); ++at) {
    if (run.match_at(at)) return true;
    if (run.exhausted()) return too_slow();
  }
  return false;
}

result<std::optional<std::vector<std::string>>>
py_regex::match(std::string_view text) const {
  const auto characters = characters_of(text);
  regex_run run{*program_, characters};
  const bool found = run.match_at(0);
  if (run.exhausted()) return too_slow();
  if (!found) return std::optional<std::vector<std::string>>{};
  std::vector<std::string> out{text_between(characters, 0, run.end())};
  for (std::size_t i = 1; i <= program_->groups; ++i) {
    const auto [begin, end] = run.group(i);
    out.push_back(begin == unset || end == unset
                      ? std::string{}
                      : text_between(characters, begin, end));
  }
  return std::optional{std::move(out)};
}

result<std::vector<std::string>>
py_regex::find_all(std::string_view text) const {
  const auto characters = characters_of(text);
  regex_run run{*program_, characters};
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= characters.size();) {
    const bool found = run.match_at(at);
    if (run.exhausted()) return too_slow();
    if (found) out.push_back(text_between(characters, at, run.end()));
    at = found && run.end() > at ? run.end() : at + 1;
  }
  return out;
}

} // namespace brewery::osworld
