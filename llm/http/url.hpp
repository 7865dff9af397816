#pragma once
/// The address of a server as written by a user: http or https, host, port,
/// path, query. A URL of RFC 3986 without a fragment, parsed by uriparser.

#include "base/result.hpp"
#include "base/secret.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace brewery {

struct url {
  bool tls = false;
  std::string host; ///< without brackets, even for IPv6
  std::uint16_t port = 80;
  std::string path;  ///< "" or begins with "/"; does not end with it
  std::string query; ///< without the question mark
  secret user_info;  ///< "user:password", percent-decoded

  /// "host:port", with IPv6 in brackets; for messages and for CONNECT.
  [[nodiscard]] std::string authority() const;
  /// The same, without the default port.
  [[nodiscard]] std::string host_header() const;
  /// Path, then `after`, then query: "/v1" + "/chat/completions" + "?a=b".
  [[nodiscard]] std::string target(std::string_view after) const;
};

/// Error ec::invalid_config with `what` ("base_url of model server 'x'") and
/// the text, without the part before an "@".
result<url> parse_url(std::string_view text, const std::string& what);

} // namespace brewery
