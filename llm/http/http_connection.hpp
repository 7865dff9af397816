#pragma once
/// One connection to a server, over TCP or TLS, direct or through a proxy. It
/// carries exchanges one after the other. It belongs to one event loop and
/// keeps itself alive during an exchange.

#include "llm/http/event_loop.hpp"
#include "llm/http/http_exchange.hpp"

#include <functional>
#include <memory>

namespace brewery {

class http_connection {
public:
  using done = std::function<void(http_outcome)>;

  /// Both arguments must outlive the connection.
  static std::shared_ptr<http_connection> make(event_loop& loop,
                                               const http_endpoint& server);
  virtual ~http_connection() = default;

  /// Connects first if needed. `finished` is called once, after this call has
  /// returned. After trouble the connection is closed.
  virtual void exchange(const http_call& call, done finished) = 0;

  /// Ends an exchange under way as cancelled, at once.
  virtual void close() = 0;

  /// Whether the last exchange left the connection open, and the server has not
  /// closed it, as far as is known.
  [[nodiscard]] virtual bool is_reusable() = 0;
};

} // namespace brewery
