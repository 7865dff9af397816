#pragma once
/// Base64 (RFC 4648), with padding and without line breaks.

#include <string>
#include <string_view>

namespace brewery {

/// For Basic authentication and data URLs.
std::string base64(std::string_view bytes);

} // namespace brewery
