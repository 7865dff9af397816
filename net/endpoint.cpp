#include "net/endpoint.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace brewery {

namespace {

constexpr std::string_view tcp = "tcp://";
constexpr std::string_view ipc = "ipc://";

} // namespace

result<void> check_endpoint(const std::string& address) {
  const error bad{ec::invalid_argument,
                  fmt::format("'{}' is no address of a cluster; write "
                              "tcp://HOST:PORT, e.g. tcp://127.0.0.1:7420, or "
                              "ipc://PATH",
                              address)};
  if (address.starts_with(ipc)) {
    constexpr std::size_t longest = 100; // of a socket's path, by the kernel
    if (address.size() == ipc.size()) return bad;
    if (address.size() - ipc.size() > longest)
      return error{ec::invalid_argument,
                   fmt::format("'{}': the path of a socket has at most {} "
                               "characters",
                               address, longest)};
    return {};
  }
  const auto colon = address.rfind(':');
  if (!address.starts_with(tcp) || colon <= tcp.size()) return bad;
  const auto port = std::string_view{address}.substr(colon + 1);
  if (port == "*") return {};
  unsigned number = 0;
  const auto [end, failed] =
      std::from_chars(port.data(), port.data() + port.size(), number);
  if (failed != std::errc{} || end != port.data() + port.size()
      || number > 65535)
    return bad;
  return {};
}

bool is_local_endpoint(const std::string& address) {
  if (address.starts_with(ipc)) return true;
  if (!address.starts_with(tcp)) return false;
  const auto host = address.substr(tcp.size(), address.rfind(':') - tcp.size());
  return host.starts_with("127.") || host == "localhost" || host == "[::1]";
}

} // namespace brewery
