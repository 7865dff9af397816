#include "llm/client/provider.hpp"

#include "base/encodings.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

std::string about(const provider& of, std::string_view option) {
  return fmt::format("model server '{}': {}", of.name, option);
}

error wrong(const provider& of, std::string_view option, std::string_view why) {
  return {ec::invalid_config, fmt::format("{} {}", about(of, option), why)};
}

/// True for a token of RFC 9110.
bool is_header_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9')
           || std::string_view{"!#$%&'*+-.^_`|~"}.find(c)
                  != std::string_view::npos;
  });
}

/// Headers that the client writes itself. A duplicate could split a request.
bool is_reserved(std::string_view name) {
  static constexpr std::string_view reserved[] = {
      "host",       "content-length",     "content-type", "transfer-encoding",
      "connection", "proxy-authorization"};
  const auto small = lower(name);
  return std::find(std::begin(reserved), std::end(reserved), small)
         != std::end(reserved);
}

result<void> add_header(checked_provider& to, const std::string& name,
                        const secret& value) {
  const auto option = fmt::format("header '{}'", name);
  if (!is_header_name(name))
    return wrong(to.options, option, "has a name that HTTP does not allow");
  if (is_reserved(name))
    return wrong(to.options, option, "is set by Brewery; leave it out");
  if (!fits_header(value.reveal()))
    return wrong(to.options, option,
                 "has a value with control or non-ASCII characters");
  for (const auto& [there, ignored] : to.headers)
    if (lower(there) == lower(name))
      return wrong(to.options, option, "is given twice");
  to.headers.emplace_back(name, value.reveal());
  return {};
}

result<void> check_headers(checked_provider& out) {
  const auto& options = out.options;
  if (!options.api_key.empty()) {
    const bool bearer = lower(options.api_key_header) == "authorization";
    const secret value{(bearer ? "Bearer " : "") + options.api_key.reveal()};
    if (auto ok = add_header(out, options.api_key_header, value); !ok)
      return ok;
    out.redact.add(options.api_key);
    out.redact_answer.add(options.api_key);
  }
  for (const auto& header : options.headers) {
    if (auto ok = add_header(out, header.name, header.value); !ok) return ok;
    out.redact.add(header.value);
    // "Bearer KEY", "Basic ...": the secret is the part after the scheme.
    const auto& text = header.value.reveal();
    if (const auto space = text.find(' '); space != std::string::npos)
      out.redact.add(secret{text.substr(space + 1)});
  }
  return {};
}

result<void> check_addresses(checked_provider& out) {
  const auto& options = out.options;
  auto base = parse_url(options.base_url, about(options, "base_url"));
  if (!base) return base.error();
  if (!base->user_info.empty())
    return wrong(options, "base_url",
                 "holds a user name or password; use the API key's option, or "
                 "a header");
  out.base = *std::move(base);
  out.redact.add(secret{out.base.query}); // some servers take keys in the query
  if (options.proxy.empty()) return {};
  out.redact.add(options.proxy);
  auto proxy = parse_url(options.proxy.reveal(), about(options, "proxy"));
  if (!proxy) return proxy.error();
  if (proxy->tls)
    return wrong(options, "proxy",
                 "must be an http:// address (it is reached "
                 "without TLS; calls to https:// are not)");
  if (const auto& who = proxy->user_info.reveal(); !who.empty()) {
    out.redact.add(proxy->user_info);
    out.redact.add(secret{base64(who)});
    if (const auto colon = who.find(':'); colon != std::string::npos)
      out.redact.add(secret{who.substr(colon + 1)});
  }
  out.proxy = *std::move(proxy);
  return {};
}

result<void> check_numbers(const provider& options) {
  const auto& t = options.timeouts;
  for (const auto& [name, value] :
       {std::pair{"connect timeout", t.connect},
        std::pair{"first-byte timeout", t.first_byte},
        std::pair{"idle timeout", t.idle}, std::pair{"total timeout", t.total}})
    if (value.count() <= 0)
      return wrong(options, name,
                   fmt::format("is {} ms; it must be positive", value.count()));
  if (options.initial_concurrency < 1
      || options.initial_concurrency > options.most_concurrency)
    return wrong(options, "initial_concurrency",
                 fmt::format("is {}; it must be from 1 to max_concurrency "
                             "({})",
                             options.initial_concurrency,
                             options.most_concurrency));
  if (options.reply_bytes_most < 1024)
    return wrong(options, "limit of a reply",
                 fmt::format("is {} bytes; no reply fits, use at least 1024",
                             options.reply_bytes_most));
  return {};
}

} // namespace

result<checked_provider> check(provider options) {
  checked_provider out;
  out.options = std::move(options);
  if (auto ok = check_numbers(out.options); !ok) return ok.error();
  if (auto ok = check_addresses(out); !ok) return ok.error();
  if (auto ok = check_headers(out); !ok) return ok.error();
  return out;
}

} // namespace brewery
