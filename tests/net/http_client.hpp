#pragma once
/// A client of an HTTP server that may misbehave.

#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace brewery::test {

/// A bare socket, so that it can misbehave.
class client {
public:
  explicit client(std::uint16_t port)
      : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ =
        ::connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
    // A server that hangs fails the test instead of hanging it.
    const timeval limit{20, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  ~client() { ::close(fd_); }
  client(const client&) = delete;
  client& operator=(const client&) = delete;

  bool connected() const { return connected_; }

  client& send(std::string_view bytes) {
    (void)!::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return *this;
  }

  /// Until the server closes. Adds "[no close]" when it does not.
  std::string read_all() {
    std::string out;
    char block[4096];
    for (;;) {
      const auto count = ::recv(fd_, block, sizeof block, 0);
      if (count == 0 || (count < 0 && errno == ECONNRESET)) return out;
      if (count < 0) return out + "[no close]";
      out.append(block, static_cast<std::size_t>(count));
    }
  }

  /// Up to and including the text.
  std::string read_until(std::string_view text) {
    std::string out;
    char byte = 0;
    while (out.find(text) == std::string::npos && ::recv(fd_, &byte, 1, 0) == 1)
      out += byte;
    return out;
  }

private:
  int fd_;
  bool connected_ = false;
};

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace brewery::test
