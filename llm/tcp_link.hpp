#pragma once
/// A stream of bytes to a server: TCP, through a proxy if there is one, with
/// TLS if the address says so. Knows nothing of HTTP but CONNECT, nothing of
/// deadlines: who owns it closes it when it takes too long. On one loop.

#include "llm/event_loop.hpp"
#include "llm/http_exchange.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace brewery {

enum class link_end : std::uint8_t {
  none = 0,   ///< all is well
  closed = 1, ///< the other side ended it in order
  broken = 2, ///< reset, or ended without TLS's goodbye
  unreachable = 3,
  untrusted = 4, ///< the certificate
  proxy = 5,     ///< refused by the proxy
};

struct link_state {
  link_end end = link_end::none;
  std::string what; ///< in words, if it ended
  unsigned proxy_status = 0;
};

class tcp_link {
public:
  using opened = std::function<void(const link_state&)>;
  using moved = std::function<void(const link_state&, std::size_t bytes)>;

  static std::shared_ptr<tcp_link> make(event_loop& loop,
                                        const http_endpoint& server);
  virtual ~tcp_link() = default;

  /// Once.
  virtual void open(opened done) = 0;
  /// At least one byte, at most `size`; one read and one write at a time. The
  /// memory must stay until `done`. Bytes may come with the end.
  virtual void read(char* to, std::size_t size, moved done) = 0;
  virtual void write(const char* from, std::size_t size, moved done) = 0;
  /// Open, and nothing has come that nobody asked for (not even its end).
  [[nodiscard]] virtual bool is_quiet() = 0;
  /// What is under way is dropped: its callbacks are destroyed or come with an
  /// end.
  virtual void close() = 0;
};

} // namespace brewery
