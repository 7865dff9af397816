#include "envs/osworld/grading/python/py_text.hpp"

#include "base/utf8.hpp"
#include "base/word_characters.hpp"

#include <fmt/format.h>

namespace brewery::osworld {

result<std::string> py_read_text(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    if (bytes[at] == '\r') {
      out += '\n';
      at += at + 1 < bytes.size() && bytes[at + 1] == '\n' ? 2 : 1;
      continue;
    }
    const auto next = decode_utf8(bytes, at);
    if (next.value == 0xfffd && next.size == 1)
      return error{ec::malformed,
                   fmt::format("the file is not UTF-8 at byte {}", at)};
    out += bytes.substr(at, next.size);
    at += next.size;
  }
  return out;
}

std::vector<std::string_view> py_file_lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto size = end == std::string_view::npos ? text.size() : end + 1;
    out.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

std::vector<std::string> py_splitlines(std::string_view text) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    const auto c = next.value;
    const bool ends = (c >= 0x0a && c <= 0x0d) || (c >= 0x1c && c <= 0x1e)
                      || c == 0x85 || c == 0x2028 || c == 0x2029;
    if (!ends) {
      at += next.size;
      continue;
    }
    out.emplace_back(text.substr(begin, at - begin));
    at += next.size;
    if (c == '\r' && at < text.size() && text[at] == '\n') ++at;
    begin = at;
  }
  if (begin < text.size()) out.emplace_back(text.substr(begin));
  return out;
}

std::string_view py_strip(std::string_view text) {
  std::size_t begin = text.size(), end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    if (!is_space(next.value)) {
      if (begin == text.size()) begin = at;
      end = at + next.size;
    }
    at += next.size;
  }
  return end > begin ? text.substr(begin, end - begin) : std::string_view{};
}

std::vector<std::string_view> py_words(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    if (end > begin) out.push_back(text.substr(begin, end - begin));
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    if (is_space(next.value)) {
      add(at);
      begin = at + next.size;
    }
    at += next.size;
  }
  add(text.size());
  return out;
}

std::string py_lower(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    // The one character whose lower case is two.
    if (next.value == 0x130)
      out += "i\xcc\x87";
    else
      append_utf8(to_lower(next.value), out);
    at += next.size;
  }
  return out;
}

} // namespace brewery::osworld
