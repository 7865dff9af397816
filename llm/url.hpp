#pragma once
/// The address of a server as a user writes it: http or https, host, port,
/// path, query. Only what a base URL or a proxy needs; no fragments.

#include "base/result.hpp"
#include "llm/secret.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace brewery {

struct url {
  bool tls = false;
  std::string host; ///< without brackets, also when it is IPv6
  std::uint16_t port = 80;
  std::string path;  ///< "" or starts with "/", does not end with it
  std::string query; ///< without the question mark
  secret user_info;  ///< "user:password", percent-decoded

  /// "host:port", IPv6 in brackets: for messages and for CONNECT.
  [[nodiscard]] std::string authority() const;
  /// The same, without the port that goes without saying.
  [[nodiscard]] std::string host_header() const;
  /// Path, what comes after it, query: "/v1" + "/chat/completions" + "?a=b".
  [[nodiscard]] std::string target(std::string_view after) const;
};

/// ec::invalid_config with `what` ("base_url of model server 'x'") and the
/// text, but for what stands before an "@".
result<url> parse_url(std::string_view text, const std::string& what);

/// For Basic authentication and data URLs.
std::string base64(std::string_view bytes);

} // namespace brewery
