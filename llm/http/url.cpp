#include "llm/http/url.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <uriparser/Uri.h>

#include <algorithm>

namespace brewery {

namespace {

/// The part of an address that may be shown: nothing that could be a password
/// or, in a query, a key.
std::string shown(std::string_view text) {
  if (const auto mark = text.find('?'); mark != std::string_view::npos)
    return shown(text.substr(0, mark)) + "?...";
  const auto scheme = text.find("://");
  const auto from = scheme == std::string_view::npos ? 0 : scheme + 3;
  const auto at = text.rfind('@');
  if (at == std::string_view::npos || at < from) return std::string{text};
  return fmt::format("{}...{}", text.substr(0, from), text.substr(at));
}

/// The parts of an address, as views of the text.
struct parsed_url {
  explicit parsed_url(std::string_view text)
      : valid(uriParseSingleUriExA(&parts, text.data(),
                                   text.data() + text.size(), &stopped_at)
              == URI_SUCCESS) {}
  parsed_url(const parsed_url&) = delete;
  parsed_url& operator=(const parsed_url&) = delete;
  ~parsed_url() { uriFreeUriMembersA(&parts); }

  UriUriA parts{};
  const char* stopped_at = nullptr; ///< first invalid character
  bool valid;
};

std::string_view view(const UriTextRangeA& part) {
  if (part.first == nullptr) return {};
  return {part.first, static_cast<std::size_t>(part.afterLast - part.first)};
}

std::string percent_decoded(std::string text) {
  const auto* const end =
      uriUnescapeInPlaceExA(text.data(), URI_FALSE, URI_BR_DONT_TOUCH);
  text.resize(static_cast<std::size_t>(end - text.data()));
  return text;
}

/// Describes what is wrong where uriparser stopped, since uriparser does not.
/// `rest` follows the scheme.
std::string_view syntax_trouble(std::string_view rest, std::size_t at) {
  const auto end = std::min(rest.find_first_of("/?"), rest.size());
  const auto before = rest.substr(0, at);
  const auto user = rest.substr(0, end).rfind('@');
  if (at > end || (user != std::string_view::npos && at <= user))
    return "it holds a character that must be written as %XX";
  if (rest.substr(0, end).find('[') != std::string_view::npos) {
    if (rest.find(']') >= end) return "a bracket is not closed";
    if (before.find(']') != std::string_view::npos)
      return "only a port may follow the bracket";
  } else if (before.find(':') != std::string_view::npos) {
    return "its port is not a number from 1 to 65535";
  }
  return "its host is not a name or address";
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
  const auto scheme = lower(text.substr(0, text.find("://")));
  out.tls = scheme == "https";
  if (scheme.size() == text.size() || (!out.tls && scheme != "http"))
    return wrong("it does not start with http:// or https://");
  if (!std::all_of(text.begin(), text.end(),
                   [](char c) { return c > ' ' && c <= '~'; }))
    return wrong("it holds a space or a control character");
  if (text.find('#') != std::string_view::npos)
    return wrong("it has a fragment (#)");
  const parsed_url read{text};
  const auto from = scheme.size() + 3;
  if (!read.valid)
    return wrong(syntax_trouble(
        text.substr(from),
        static_cast<std::size_t>(read.stopped_at - text.data()) - from));
  out.host = lower(view(read.parts.hostText));
  if (out.host.empty()
      || out.host.find_first_of("%!$&'()*+,;=") != out.host.npos)
    return wrong("its host is not a name or address");
  const auto port = view(read.parts.portText);
  out.port = out.tls ? 443 : 80;
  if (!port.empty()) out.port = whole_number<std::uint16_t>(port).value_or(0);
  if (out.port == 0) return wrong("its port is not a number from 1 to 65535");
  out.user_info =
      secret{percent_decoded(std::string{view(read.parts.userInfo)})};
  for (const auto* part = read.parts.pathHead; part != nullptr;
       part = part->next)
    out.path.append("/").append(view(part->text));
  while (out.path.ends_with('/'))
    out.path.pop_back();
  out.query = view(read.parts.query);
  return out;
}

} // namespace brewery
