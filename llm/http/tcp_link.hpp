#pragma once
/// A stream of bytes to a server: TCP, through a proxy if configured, with TLS
/// if the address is https. Of HTTP it knows only CONNECT. It has no timeouts:
/// the owner closes it. Belongs to one event loop.

#include "llm/http/event_loop.hpp"
#include "llm/http/http_exchange.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace brewery {

enum class link_end : std::uint8_t {
  none = 0,   ///< the link works
  closed = 1, ///< the other side closed it in order
  broken = 2, ///< reset, or ended without TLS's close message
  unreachable = 3,
  untrusted = 4, ///< the certificate is not valid
  proxy = 5,     ///< the proxy refused
};

struct link_state {
  link_end end = link_end::none;
  std::string what; ///< describes the end
  unsigned proxy_status = 0;
};

class tcp_link {
public:
  using opened = std::function<void(const link_state&)>;
  using moved = std::function<void(const link_state&, std::size_t bytes)>;

  static std::shared_ptr<tcp_link> make(event_loop& loop,
                                        const http_endpoint& server);
  virtual ~tcp_link() = default;

  /// Call once.
  virtual void open(opened done) = 0;
  /// Reads at least one byte and at most `size`. At most one read and one write
  /// at a time. The memory must remain valid until `done`. Bytes may come
  /// together with the end.
  virtual void read(char* to, std::size_t size, moved done) = 0;
  virtual void write(const char* from, std::size_t size, moved done) = 0;
  /// Whether the link is open and has received nothing unexpected, including
  /// its end.
  [[nodiscard]] virtual bool is_quiet() = 0;
  /// Drops operations under way: their callbacks are destroyed or report an
  /// end.
  virtual void close() = 0;
};

} // namespace brewery
