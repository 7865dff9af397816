#include "roles/desktop/formats/python_call.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>

namespace brewery::desktop {

namespace {

constexpr std::size_t max_bytes = std::size_t{64} * 1024;
constexpr int max_depth = 8;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class call_reader {
public:
  call_reader(std::string_view text, call_reading how)
      : text_(text), how_(how) {}

  result<python_call> call() {
    if (text_.size() > max_bytes) return problem("is too long");
    python_call out;
    skip();
    out.name = name(true);
    if (out.name.empty()) return problem("expected the name of an action");
    if (!accept('(')) return problem("expected '('");
    while (!accept(')')) {
      if (auto ok = argument(out); !ok) return ok.error();
      if (accept(',')) continue;
      if (!accept(')')) return problem("expected ',' or ')'");
      break;
    }
    return out;
  }

  [[nodiscard]] std::size_t at() const { return at_; }

private:
  error problem(std::string_view what) const {
    return {ec::malformed, fmt::format("at byte {}: {}", at_, what)};
  }
  [[nodiscard]] bool more() const { return at_ < text_.size(); }
  void skip() {
    while (more() && is_space(text_[at_]))
      ++at_;
  }
  bool accept(char c) {
    skip();
    if (!more() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string name(bool dotted) {
    const auto begin = at_;
    while (more() && (is_name(text_[at_]) || (dotted && text_[at_] == '.')))
      ++at_;
    return std::string{text_.substr(begin, at_ - begin)};
  }

  result<void> argument(python_call& out) {
    skip();
    const auto begin = at_;
    auto key = name(false);
    if (!key.empty() && accept('=')) {
      auto read = value(0);
      if (!read) return read.error();
      out.named[key] = *std::move(read);
      return {};
    }
    at_ = begin;
    auto read = value(0);
    if (!read) return read.error();
    out.arguments.push_back(*std::move(read));
    return {};
  }

  result<json> value(int depth) {
    if (depth > max_depth) return problem("is nested too deep");
    skip();
    if (!more()) return problem("ends within an argument");
    const char c = text_[at_];
    if (c == '\'' || c == '"') return strings();
    if (c == '[') return list('[', ']', depth);
    if (c == '(') return list('(', ')', depth);
    if (c == '{') return dict(depth);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-'
        || c == '.')
      return number();
    const auto word = name(false);
    if (word == "True" || word == "true") return json(true);
    if (word == "False" || word == "false") return json(false);
    if (word == "None" || word == "null") return json(nullptr);
    if ((word == "r" || word == "u") && more()
        && (text_[at_] == '\'' || text_[at_] == '"'))
      return string(word == "r");
    return problem("expected a literal value");
  }

  result<json> number() {
    const auto begin = at_;
    while (more()
           && (is_name(text_[at_]) || text_[at_] == '.'
               || ((text_[at_] == '-' || text_[at_] == '+')
                   && (at_ == begin || text_[at_ - 1] == 'e'))))
      ++at_;
    const auto digits = text_.substr(begin, at_ - begin);
    if (const auto whole = whole_number<std::int64_t>(digits))
      return json(*whole);
    const auto* end = digits.data() + digits.size();
    double real = 0;
    if (auto got = std::from_chars(digits.data(), end, real);
        got.ec == std::errc{} && got.ptr == end && std::isfinite(real))
      return json(real);
    at_ = begin;
    return problem("expected a number");
  }

  /// Adjacent strings are one.
  result<json> strings() {
    std::string out;
    do {
      auto part = string(false);
      if (!part) return part.error();
      out += part->get_ref<const std::string&>();
      skip();
    } while (more() && (text_[at_] == '\'' || text_[at_] == '"'));
    return json(std::move(out));
  }

  result<json> string(bool raw) {
    const auto rest = text_.substr(at_);
    const bool long_form =
        rest.starts_with("'''") || rest.starts_with("\"\"\"");
    const auto quote = rest.substr(0, long_form ? 3 : 1);
    at_ += quote.size();
    std::string out;
    while (more()) {
      if (text_.substr(at_).starts_with(quote) && closes(at_ + quote.size())) {
        at_ += quote.size();
        return json(std::move(out));
      }
      if (text_[at_] == '\\' && !raw) {
        escape(out);
      } else {
        out += text_[at_++];
      }
    }
    return problem("ends within a string");
  }

  /// Whether an argument can end before this place.
  [[nodiscard]] bool closes(std::size_t at) const {
    if (!how_.loose_quotes) return true;
    while (at < text_.size() && is_space(text_[at]))
      ++at;
    if (at >= text_.size()) return true;
    if (text_[at] == ')') {
      // The last one of the line.
      const auto line = text_.substr(at, text_.find('\n', at) - at);
      return line.find("')") == line.npos && line.find("\")") == line.npos;
    }
    if (text_[at] != ',') return false;
    ++at;
    while (at < text_.size() && is_space(text_[at]))
      ++at;
    const auto begin = at;
    while (at < text_.size() && is_name(text_[at]))
      ++at;
    return at > begin && at < text_.size() && text_[at] == '=';
  }

  void escape(std::string& out) {
    ++at_;
    if (!more()) return;
    const char c = text_[at_++];
    switch (c) {
    case 'n':
      out += '\n';
      break;
    case 't':
      out += '\t';
      break;
    case 'r':
      out += '\r';
      break;
    case '\\':
    case '\'':
    case '"':
      out += c;
      break;
    case '\n':
      break;
    case 'x':
      if (!hex_escape(2, out)) out += "\\x";
      break;
    case 'u':
      if (!hex_escape(4, out)) out += "\\u";
      break;
    default: // as in Python, which keeps both
      out += '\\';
      out += c;
    }
  }

  /// The character with this number; false: there are no such digits, or it is
  /// half of a pair.
  bool hex_escape(std::size_t digits, std::string& out) {
    const auto hex = text_.substr(std::min(at_, text_.size()), digits);
    const auto number = whole_number<std::uint32_t>(hex, 16);
    if (hex.size() < digits || !number
        || (*number >= 0xd800 && *number <= 0xdfff))
      return false;
    at_ += digits;
    append_utf8(*number, out);
    return true;
  }

  result<json> list(char open, char close, int depth) {
    accept(open);
    auto out = json::array();
    while (!accept(close)) {
      auto item = value(depth + 1);
      if (!item) return item.error();
      out.push_back(*std::move(item));
      if (accept(',')) continue;
      if (!accept(close)) return problem("expected ',' or the list's end");
      break;
    }
    return out;
  }

  result<json> dict(int depth) {
    accept('{');
    auto out = json::object();
    while (!accept('}')) {
      auto key = value(depth + 1);
      if (!key) return key.error();
      if (!accept(':')) return problem("expected ':'");
      auto item = value(depth + 1);
      if (!item) return item.error();
      out[key->is_string() ? key->get<std::string>() : key->dump()] =
          *std::move(item);
      if (accept(',')) continue;
      if (!accept('}')) return problem("expected ',' or '}'");
      break;
    }
    return out;
  }

  std::string_view text_;
  call_reading how_;
  std::size_t at_ = 0;
};

} // namespace

const json* python_call::find(std::size_t place, const std::string& key) const {
  if (const auto it = named.find(key); it != named.end()) return &*it;
  return place < arguments.size() ? &arguments[place] : nullptr;
}

result<python_call> read_python_call(std::string_view text,
                                     std::size_t& consumed, call_reading how) {
  call_reader in{text, how};
  auto out = in.call();
  consumed = in.at();
  return out;
}

result<python_call> read_python_call(std::string_view text, call_reading how) {
  std::size_t consumed = 0;
  auto out = read_python_call(text, consumed, how);
  if (out && !trim(text.substr(consumed)).empty())
    return error{
        ec::malformed,
        fmt::format("at byte {}: something follows the call", consumed)};
  return out;
}

} // namespace brewery::desktop
