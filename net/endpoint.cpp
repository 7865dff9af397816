#include "net/endpoint.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "messages/wire/format.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <string_view>

namespace brewery {

namespace {

constexpr std::string_view tcp = "tcp://";
constexpr std::string_view ipc = "ipc://";

/// The host of a tcp address that has a port.
std::string host_of(const std::string& address) {
  return address.substr(tcp.size(), address.rfind(':') - tcp.size());
}

/// "::1" of "[::1]"; empty if the brackets hold no IPv6 address.
std::string inside_brackets(const std::string& host) {
  in6_addr parsed{};
  if (!host.starts_with('[') || !host.ends_with(']')) return {};
  auto inside = host.substr(1, host.size() - 2);
  return ::inet_pton(AF_INET6, inside.c_str(), &parsed) == 1 ? inside
                                                             : std::string{};
}

/// True for a name, a wildcard or an IPv4 or IPv6 address. libzmq would try to
/// look up anything else and wait forever.
bool is_host(const std::string& host) {
  if (host.starts_with('[')) return !inside_brackets(host).empty();
  for (const char c : host)
    if (c <= ' ' || c > '~' || c == ':' || c == '/' || c == ']') return false;
  return !host.empty();
}

} // namespace

result<void> check_endpoint(const std::string& address) {
  const error bad{
      ec::invalid_argument,
      fmt::format("'{}' is not an address of a cluster; use tcp://HOST:PORT, "
                  "e.g. tcp://127.0.0.1:7420, or ipc://PATH",
                  ascii_line(address, 40))};
  if (address.starts_with(ipc)) {
    // Of a socket's path: a limit of the kernel.
    constexpr std::size_t longest = 100;
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
  if (!is_host(host_of(address))) return bad;
  const auto port = std::string_view{address}.substr(colon + 1);
  if (port == "*") return {};
  if (!whole_number<std::uint16_t>(port)) return bad;
  return {};
}

bool is_local_endpoint(const std::string& address) {
  if (address.starts_with(ipc)) return true;
  if (!address.starts_with(tcp)) return false;
  const auto host = host_of(address);
  // A name may begin like an address and belong to anybody: 127.example.org.
  in_addr parsed{};
  const bool loopback = host.starts_with("127.")
                        && ::inet_pton(AF_INET, host.c_str(), &parsed) == 1;
  return loopback || host == "localhost" || inside_brackets(host) == "::1";
}

} // namespace brewery
