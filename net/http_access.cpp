#include "net/http_access.hpp"

#include "base/encodings.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <algorithm>

namespace brewery {

namespace {

constexpr std::uint16_t http_port = 80; // left out of a Host header

/// Digests, so that not even the length of the secret shows.
bool equal_secrets(std::string_view one, std::string_view other) {
  const auto left = sha256_hex(one);
  const auto right = sha256_hex(other);
  return CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

bool names_loopback(const http_access& access, std::string_view host) {
  const auto given = lower(host);
  return std::ranges::any_of(
      std::initializer_list<const char*>{"localhost", "127.0.0.1", "[::1]"},
      [&](const char* name) {
        return given == fmt::format("{}:{}", name, access.port)
               || (access.port == http_port && given == name);
      });
}

bool knows_token(const std::string& token, const std::string& authorization) {
  // Both are compared: which one was tried shall not show either.
  // The name of a scheme has no case (RFC 9110, 11.1).
  const auto space = std::min(authorization.find(' '), authorization.size());
  const auto given =
      lower(authorization.substr(0, space)) + authorization.substr(space);
  const bool bearer = equal_secrets(given, "bearer " + token);
  const bool basic =
      equal_secrets(given, "basic " + base64("brewery:" + token));
  return bearer || basic;
}

} // namespace

result<void> can_be_token(std::string_view token) {
  if (token.size() < token_bytes_least)
    return error{ec::invalid_argument,
                 fmt::format("the token has {}; use at least {}, e.g. of "
                             "`openssl rand -hex 16`",
                             counted(token.size(), "character"),
                             token_bytes_least)};
  if (!std::ranges::all_of(token, [](char c) { return c > ' ' && c <= '~'; }))
    return error{ec::invalid_argument,
                 "the token may have printable ASCII characters only, and no "
                 "spaces"};
  return {};
}

bool is_loopback(std::string_view address) {
  return address == "::1" || address == "127.0.0.1";
}

std::optional<http_response> refusal_of(const http_access& access,
                                        const http_request& request) {
  if (access.loopback && !names_loopback(access, request.host))
    return http_response{
        .status = 421,
        .body = fmt::format(
            "this server answers for localhost:{0} and 127.0.0.1:{0}\n",
            access.port)};
  // A proxy may speak https where this server does not.
  if (!request.origin.empty() && request.origin != "http://" + request.host
      && request.origin != "https://" + request.host)
    return http_response{.status = 403,
                         .body = "pages of other origins may not ask\n"};
  // What a page of another site asks for by an image or a script has no Origin.
  if (lower(request.fetch_site) == "cross-site"
      && request.path.starts_with("/api/"))
    return http_response{.status = 403,
                         .body = "pages of other sites may not ask\n"};
  if (!access.token.empty()
      && !knows_token(access.token, request.authorization))
    return http_response{
        .status = 401,
        .body = "the token is needed: as the password of the user brewery, or "
                "in a header Authorization: Bearer TOKEN\n",
        .headers = {{"WWW-Authenticate",
                     "Basic realm=\"brewery\", charset=\"UTF-8\""}}};
  return std::nullopt;
}

} // namespace brewery
