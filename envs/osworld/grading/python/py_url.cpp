#include "envs/osworld/grading/python/py_url.hpp"

#include "base/text.hpp"
#include "envs/osworld/grading/python/py_text.hpp"

#include <algorithm>
#include <array>

namespace brewery::osworld {

namespace {

constexpr std::array with_params{
    std::string_view{""},      std::string_view{"ftp"},
    std::string_view{"hdl"},   std::string_view{"prospero"},
    std::string_view{"http"},  std::string_view{"imap"},
    std::string_view{"https"}, std::string_view{"shttp"},
    std::string_view{"rtsp"},  std::string_view{"rtspu"},
    std::string_view{"sip"},   std::string_view{"sips"},
    std::string_view{"mms"},   std::string_view{"sftp"},
    std::string_view{"tel"}};
constexpr std::array with_netloc{
    std::string_view{"ftp"},    std::string_view{"http"},
    std::string_view{"gopher"}, std::string_view{"nntp"},
    std::string_view{"telnet"}, std::string_view{"imap"},
    std::string_view{"wais"},   std::string_view{"file"},
    std::string_view{"mms"},    std::string_view{"https"},
    std::string_view{"shttp"},  std::string_view{"snews"},
    std::string_view{"rsync"},  std::string_view{"prospero"},
    std::string_view{"rtsp"},   std::string_view{"rtspu"},
    std::string_view{"svn"},    std::string_view{"svn+ssh"},
    std::string_view{"sftp"},   std::string_view{"nfs"},
    std::string_view{"git"},    std::string_view{"git+ssh"},
    std::string_view{"ws"},     std::string_view{"wss"}};

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_scheme_character(char c) {
  return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-'
         || c == '.';
}

/// Without control characters and spaces before it, and without line ends.
std::string cleaned(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text[0]) <= 0x20)
    text.remove_prefix(1);
  std::string out;
  for (const char c : text)
    if (c != '\t' && c != '\r' && c != '\n') out += c;
  return out;
}

/// What comes after the first `mark`, which `text` then ends before.
std::string cut_after(std::string& text, char mark) {
  const auto at = text.find(mark);
  if (at == std::string::npos) return {};
  auto out = text.substr(at + 1);
  text.resize(at);
  return out;
}

void take_scheme(std::string& text, py_url& out) {
  const auto colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || !is_ascii_letter(text[0]))
    return;
  if (!std::all_of(text.begin(),
                   text.begin() + static_cast<std::ptrdiff_t>(colon),
                   is_scheme_character))
    return;
  out.scheme = py_lower(std::string_view{text}.substr(0, colon));
  text.erase(0, colon + 1);
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string unquoted_bytes(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool has_two = text[at] == '%' && at + 2 < text.size();
    const int high = has_two ? hex_value(text[at + 1]) : -1;
    const int low = has_two ? hex_value(text[at + 2]) : -1;
    if (high < 0 || low < 0) {
      out += text[at];
      continue;
    }
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

/// The length of the character at the start, or if it is none, minus that of
/// the longest part that could begin one (Unicode 15, table 3-7).
int character_length(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const auto lead = byte(0);
  if (lead < 0x80) return 1;
  const int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const auto least = lead == 0xe0 ? 0xa0U : lead == 0xf0 ? 0x90U : 0x80U;
  const auto most = lead == 0xed ? 0x9fU : lead == 0xf4 ? 0x8fU : 0xbfU;
  if (byte(1) < least || byte(1) > most) return -1;
  for (int i = 2; i < length; ++i)
    if ((byte(static_cast<std::size_t>(i)) & 0xc0U) != 0x80U) return -i;
  return length;
}

} // namespace

result<py_url> py_urlparse(std::string_view whole) {
  auto text = cleaned(whole);
  py_url out;
  take_scheme(text, out);
  if (text.starts_with("//")) {
    const auto end = std::min(text.find_first_of("/?#", 2), text.size());
    out.netloc = text.substr(2, end - 2);
    text.erase(0, end);
    if (out.netloc.find_first_of("[]") != std::string::npos)
      return error{ec::malformed, "a host in brackets is not supported"};
  }
  out.fragment = cut_after(text, '#');
  out.query = cut_after(text, '?');
  if (is_one_of(with_params, out.scheme)) {
    const auto slash = text.rfind('/');
    const auto at = text.find(';', slash == std::string::npos ? 0 : slash);
    if (at != std::string::npos) {
      out.params = text.substr(at + 1);
      text.resize(at);
    }
  }
  out.path = std::move(text);
  return out;
}

std::string py_urlunparse(const py_url& url) {
  auto out = url.path;
  if (!url.params.empty()) out += ";" + url.params;
  const bool wants_netloc =
      is_one_of(with_netloc, url.scheme) && !out.starts_with("//");
  if (!url.netloc.empty() || wants_netloc) {
    if (!out.empty() && !out.starts_with('/')) out.insert(0, "/");
    out.insert(0, "//" + url.netloc);
  }
  if (!url.scheme.empty()) out.insert(0, url.scheme + ":");
  if (!url.query.empty()) out += "?" + url.query;
  if (!url.fragment.empty()) out += "#" + url.fragment;
  return out;
}

std::string py_decode_replacing(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const int length = character_length(bytes);
    if (length > 0)
      out += bytes.substr(0, static_cast<std::size_t>(length));
    else
      out += "\xef\xbf\xbd";
    bytes.remove_prefix(static_cast<std::size_t>(std::abs(length)));
  }
  return out;
}

std::string py_unquote(std::string_view text) {
  std::string out;
  // What is not ASCII separates what is decoded together.
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && static_cast<unsigned char>(text[end]) < 0x80)
      ++end;
    out += py_decode_replacing(unquoted_bytes(text.substr(0, end)));
    text.remove_prefix(end);
    end = 0;
    while (end < text.size() && static_cast<unsigned char>(text[end]) >= 0x80)
      ++end;
    out += text.substr(0, end);
    text.remove_prefix(end);
  }
  return out;
}

std::vector<std::pair<std::string, std::string>>
py_query_pairs(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto pair : split(query, '&')) {
    const auto at = pair.find('=');
    if (at == std::string_view::npos || at + 1 == pair.size()) continue;
    const auto plain = [](std::string_view part) {
      return py_unquote(replace_all(std::string{part}, "+", " "));
    };
    out.emplace_back(plain(pair.substr(0, at)), plain(pair.substr(at + 1)));
  }
  return out;
}

} // namespace brewery::osworld
