#include "llm/url.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace brewery {

namespace {

/// What may be shown of an address: nothing that could be a password or, in a
/// query, a key.
std::string shown(std::string_view text) {
  if (const auto mark = text.find('?'); mark != std::string_view::npos)
    return shown(text.substr(0, mark)) + "?...";
  const auto scheme = text.find("://");
  const auto from = scheme == std::string_view::npos ? 0 : scheme + 3;
  const auto at = text.rfind('@');
  if (at == std::string_view::npos || at < from) return std::string{text};
  return fmt::format("{}...{}", text.substr(0, from), text.substr(at));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high >= 0 && low >= 0) {
        out += static_cast<char>(high * 16 + low);
        i += 2;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

bool is_host(std::string_view host, bool bracketed) {
  return !host.empty()
         && std::all_of(host.begin(), host.end(), [bracketed](char c) {
              return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
                     || (c >= '0' && c <= '9') || c == '.' || c == '-'
                     || c == '_' || (bracketed && (c == ':' || c == '%'));
            });
}

/// Fills host and port; what is wrong, or "".
std::string_view take_authority(std::string_view text, url& out) {
  std::string_view host = text;
  std::string_view port;
  const bool bracketed = text.starts_with('[');
  if (bracketed) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return "a bracket is not closed";
    host = text.substr(1, end - 1);
    port = text.substr(end + 1);
    if (!port.empty() && port.front() != ':')
      return "only a port may follow the bracket";
  } else if (const auto colon = text.find(':');
             colon != std::string_view::npos) {
    host = text.substr(0, colon);
    port = text.substr(colon);
  }
  if (!is_host(host, bracketed)) return "its host is not a name or address";
  out.host = lower(host);
  out.port = out.tls ? 443 : 80;
  if (port.size() <= 1) return {};
  port.remove_prefix(1);
  const auto [end, failed] =
      std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (failed != std::errc{} || end != port.data() + port.size()
      || out.port == 0)
    return "its port is not a number from 1 to 65535";
  return {};
}

/// What may stand in the first line of a request.
bool is_visible(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c > ' ' && c <= '~'; });
}

} // namespace

std::string url::authority() const {
  const bool ipv6 = host.find(':') != std::string::npos;
  return ipv6 ? fmt::format("[{}]:{}", host, port)
              : fmt::format("{}:{}", host, port);
}

std::string url::host_header() const {
  const auto full = authority();
  if (port != (tls ? 443 : 80)) return full;
  return full.substr(0, full.rfind(':'));
}

std::string url::target(std::string_view after) const {
  auto out = fmt::format("{}{}", path, after);
  if (!query.empty()) out += "?" + query;
  return out;
}

result<url> parse_url(std::string_view text, const std::string& what) {
  const auto wrong = [&](std::string_view why) {
    return error{ec::invalid_config,
                 fmt::format("{}: '{}' cannot be used: {}; write it like "
                             "https://host:port/v1",
                             what, shown(text), why)};
  };
  url out;
  std::string_view rest = text;
  if (lower(rest.substr(0, 8)) == "https://") {
    out.tls = true;
    rest.remove_prefix(8);
  } else if (lower(rest.substr(0, 7)) == "http://") {
    rest.remove_prefix(7);
  } else {
    return wrong("it does not start with http:// or https://");
  }
  if (!is_visible(rest))
    return wrong("it holds a space or a control character");
  if (rest.find('#') != std::string_view::npos)
    return wrong("it has a fragment (#)");
  const auto end = std::min(rest.find_first_of("/?"), rest.size());
  auto authority = rest.substr(0, end);
  rest.remove_prefix(end);
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    out.user_info = secret{percent_decoded(authority.substr(0, at))};
    authority.remove_prefix(at + 1);
  }
  if (const auto why = take_authority(authority, out); !why.empty())
    return wrong(why);
  const auto mark = std::min(rest.find('?'), rest.size());
  out.path = rest.substr(0, mark);
  while (out.path.ends_with('/'))
    out.path.pop_back();
  if (mark < rest.size()) out.query = rest.substr(mark + 1);
  return out;
}

std::string base64(std::string_view bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8
              | (j < left ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j)
      out += j <= left ? digits[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

} // namespace brewery
