#pragma once
/// One connection to a server, over TCP or TLS, straight or through a proxy.
/// Carries one exchange at a time, many one after the other. Lives on one
/// event loop and keeps itself alive while an exchange is under way.

#include "llm/event_loop.hpp"
#include "llm/http_exchange.hpp"

#include <functional>
#include <memory>

namespace brewery {

class http_connection {
public:
  using done = std::function<void(http_outcome)>;

  /// Both must outlive it.
  static std::shared_ptr<http_connection> make(event_loop& loop,
                                               const http_endpoint& server);
  virtual ~http_connection() = default;

  /// Connects first if it is new. `finished` is called once, never from within
  /// this call. After trouble the connection is closed.
  virtual void exchange(const http_call& call, done finished) = 0;

  /// An exchange under way ends as cancelled, at once.
  virtual void close() = 0;

  /// Whether the last exchange left it open, and the server too, as far as can
  /// be seen from here.
  [[nodiscard]] virtual bool is_reusable() = 0;
};

} // namespace brewery
