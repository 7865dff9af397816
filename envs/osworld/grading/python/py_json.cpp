#include "envs/osworld/grading/python/py_json.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <optional>

namespace brewery::osworld {

namespace {

constexpr int json_levels_most = 900;

class json_loader {
public:
  explicit json_loader(std::string_view text) : text_(text) {}

  result<json> load() {
    skip_space();
    auto out = value(0);
    skip_space();
    if (problem_.empty() && at_ < text_.size()) fail("extra data");
    if (!problem_.empty())
      return error{ec::malformed,
                   fmt::format("not JSON: {} at byte {}", problem_, place_)};
    return out;
  }

private:
  json fail(const char* what) {
    if (problem_.empty()) {
      problem_ = what;
      place_ = at_;
    }
    at_ = text_.size();
    return {};
  }
  [[nodiscard]] char peek() const {
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(std::string_view wanted) {
    if (text_.substr(at_, wanted.size()) != wanted) return false;
    at_ += wanted.size();
    return true;
  }
  void skip_space() {
    while (at_ < text_.size()
           && (peek() == ' ' || peek() == '\t' || peek() == '\n'
               || peek() == '\r'))
      ++at_;
  }

  json value(int level) {
    if (level > json_levels_most) return fail("it nests too deep");
    switch (peek()) {
    case '"':
      return text();
    case '{':
      return object(level);
    case '[':
      return list(level);
    default:
      break;
    }
    if (take("null")) return nullptr;
    if (take("true")) return true;
    if (take("false")) return false;
    if (take("NaN")) return std::numeric_limits<double>::quiet_NaN();
    if (take("Infinity")) return std::numeric_limits<double>::infinity();
    if (take("-Infinity")) return -std::numeric_limits<double>::infinity();
    return number();
  }

  json object(int level) {
    ++at_;
    auto out = json::object();
    skip_space();
    if (take("}")) return out;
    while (problem_.empty()) {
      skip_space();
      if (peek() != '"') return fail("a property name is expected");
      auto name = text();
      skip_space();
      if (!take(":")) return fail("a colon is expected");
      skip_space();
      // A later value takes the place of an earlier one.
      out[name.get<std::string>()] = value(level + 1);
      skip_space();
      if (take("}")) return out;
      if (!take(",")) return fail("a comma is expected");
    }
    return {};
  }

  json list(int level) {
    ++at_;
    auto out = json::array();
    skip_space();
    if (take("]")) return out;
    while (problem_.empty()) {
      skip_space();
      out.push_back(value(level + 1));
      skip_space();
      if (take("]")) return out;
      if (!take(",")) return fail("a comma is expected");
    }
    return {};
  }

  std::optional<char32_t> unit() {
    if (text_.size() - at_ < 4) return {};
    const auto out = whole_number<std::uint32_t>(text_.substr(at_, 4), 16);
    if (out) at_ += 4;
    return out;
  }

  void escaped_unit(std::string& out) {
    auto first = unit();
    if (!first) return static_cast<void>(fail("a bad \\u escape"));
    if (*first >= 0xd800 && *first < 0xdc00 && take("\\u")) {
      const auto second = unit();
      if (!second) return static_cast<void>(fail("a bad \\u escape"));
      if (*second >= 0xdc00 && *second < 0xe000)
        first = 0x10000 + ((*first - 0xd800) << 10U) + (*second - 0xdc00);
      else
        at_ -= 6; // read again by itself
    }
    const bool half = *first >= 0xd800 && *first < 0xe000;
    append_utf8(half ? 0xfffd : *first, out);
  }

  json text() {
    ++at_;
    std::string out;
    for (;;) {
      if (at_ >= text_.size()) return fail("an unterminated string");
      const char c = text_[at_++];
      if (c == '"') return out;
      if (static_cast<unsigned char>(c) < 0x20)
        return fail("a control character in a string");
      if (c != '\\') {
        out += c;
        continue;
      }
      constexpr std::string_view letters = "\"\\/bfnrt";
      constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
      const char escape = peek();
      ++at_;
      if (escape == 'u')
        escaped_unit(out);
      else if (const auto found = letters.find(escape);
               found != std::string_view::npos)
        out += meanings[found];
      else
        return fail("a bad escape");
    }
  }

  std::size_t digits() {
    const auto from = at_;
    while (peek() >= '0' && peek() <= '9')
      ++at_;
    return at_ - from;
  }

  json number() {
    const auto from = at_;
    take("-");
    if (!take("0") && digits() == 0) return at_ = from, fail("no value");
    bool whole = true;
    const auto after_whole = at_;
    if (take(".")) {
      whole = digits() == 0;
      if (whole) at_ = after_whole; // "1." is 1 and then extra data
    }
    const auto after_fraction = at_;
    if (take("e") || take("E")) {
      if (!take("+")) take("-");
      if (digits() == 0)
        at_ = after_fraction;
      else
        whole = false;
    }
    const std::string shown{text_.substr(from, at_ - from)};
    if (whole)
      if (const auto small = whole_number<std::int64_t>(shown)) return *small;
    return std::strtod(shown.c_str(), nullptr);
  }

  std::string_view text_;
  std::size_t at_ = 0, place_ = 0;
  std::string problem_;
};

} // namespace

result<json> py_json_loads(std::string_view text) {
  return json_loader{text}.load();
}

} // namespace brewery::osworld
