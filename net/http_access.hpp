#pragma once
/// Who may ask an HTTP server. On loopback: requests whose Host header names
/// this machine, so that a page of another site that lets its name point here
/// reads nothing (DNS rebinding). Beyond loopback: who knows a token, in a
/// header `Authorization: Bearer TOKEN`, or as the password of the user
/// `brewery`, for which a browser asks by itself. PURE.

#include "base/result.hpp"
#include "net/http_server.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace brewery {

struct http_access {
  std::uint16_t port = 0; ///< that the server has
  bool loopback = true;   ///< it listens on loopback only
  std::string token{};    ///< empty: none is asked for
};

/// Shorter ones can be guessed.
inline constexpr std::size_t token_bytes_least = 16;

/// Error ec::invalid_argument: too short, or no printable ASCII.
result<void> can_be_token(std::string_view token);

/// Whether an address of `http_options` is the usual one of loopback, under
/// which `refusal_of` knows it.
bool is_loopback(std::string_view address);

/// Empty: the request may be answered. Else 421 for a foreign Host, 403 for the
/// Origin of another site, or below /api/ for a Sec-Fetch-Site that says so (a
/// link there to the page itself may be followed), 401 without the token. The
/// token is compared in constant time.
std::optional<http_response> refusal_of(const http_access& access,
                                        const http_request& request);

} // namespace brewery
