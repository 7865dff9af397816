#pragma once
/// What the readers of CSS and of XPath share: a cursor over a selector's text.

#include "envs/osworld/grading/select/xml_selector.hpp"

#include <fmt/format.h>

namespace brewery::osworld {

class selector_cursor {
public:
  selector_cursor(std::string_view text, const xml_prefixes& prefixes)
      : text_(text), prefixes_(prefixes) {}

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[at_]; }
  char next() { return at_end() ? '\0' : text_[at_++]; }
  bool take(std::string_view wanted) {
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }
  /// Whether there was any.
  bool skip_space() {
    const auto from = at_;
    while (!at_end()
           && std::string_view{" \t\r\n\f"}.find(peek())
                  != std::string_view::npos)
      ++at_;
    return at_ > from;
  }
  /// Letters, digits, '-' and '_', and what is not ASCII.
  static bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9') || c == '-' || c == '_'
           || static_cast<unsigned char>(c) >= 0x80;
  }
  /// Empty: there is no name here.
  std::string name() {
    std::string out;
    while (is_name_character(peek()))
      out += next();
    return out;
  }
  /// "attr" of attr|id, to its URI. Null: unknown.
  [[nodiscard]] const std::string* space_of(std::string_view prefix) const {
    const auto found = prefixes_.find(prefix);
    return found == prefixes_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] error refused(const char* what) const {
    return {ec::malformed,
            fmt::format("the selector {}: {} at byte {}", text_, what, at_)};
  }

private:
  std::string_view text_;
  const xml_prefixes& prefixes_;
  std::size_t at_ = 0;
};

} // namespace brewery::osworld
