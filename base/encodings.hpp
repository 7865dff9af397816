#pragma once
/// Bytes as text of few characters. PURE.

#include <string>
#include <string_view>

namespace brewery {

/// Base64 (RFC 4648), with padding and without line breaks: for Basic
/// authentication and data URLs.
std::string base64(std::string_view bytes);

/// As a part of an address (RFC 3986, section 2.1): all but letters, digits,
/// "-", ".", "_" and "~" as %XX.
std::string percent_encoded(std::string_view text);

} // namespace brewery
