#pragma once
/// Where the services of one desktop listen, as seen from this machine. A
/// desktop's provider makes it; the guest's client uses it.

#include "base/secret.hpp"

#include <cstdint>
#include <string>

namespace brewery::osworld {

struct guest_address {
  std::string host = "127.0.0.1"; ///< a name or an IP address
  /// The in-guest server (section 2 of OSWorld's protocol: screenshot, execute,
  /// file, setup).
  std::uint16_t server_port = 5000;
  std::uint16_t chromium_port = 9222; ///< DevTools protocol
  std::uint16_t vlc_port = 8080;      ///< VLC's HTTP interface
  /// Sent to the in-guest server as `Authorization: Bearer`. Empty: none, as
  /// for the official images.
  secret token{};
};

} // namespace brewery::osworld
