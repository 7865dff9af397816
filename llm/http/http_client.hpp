#pragma once
/// The connections to one server on one event loop. Open ones are reused, the
/// last used first, and closed when idle for `keep_alive`. The callers decide
/// how many there are. Use on the loop's thread only.

#include "llm/http/event_loop.hpp"
#include "llm/http/http_connection.hpp"
#include "llm/http/http_exchange.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace brewery {

class http_client {
public:
  http_client(event_loop& loop, std::shared_ptr<const http_endpoint> server);
  /// Drops exchanges under way without a callback: cancel them first.
  ~http_client();
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;

  /// The caller chooses `id`, for `cancel`. `finished` is called on the loop's
  /// thread, after this call has returned.
  void send(std::uint64_t id, const http_call& call,
            http_connection::done finished);

  /// Ends the exchange as http_trouble::cancelled. No effect if it is over.
  void cancel(std::uint64_t id);

  [[nodiscard]] std::size_t idle() const { return idle_.size(); }

private:
  struct idle_connection {
    std::shared_ptr<http_connection> connection;
    event_loop::milliseconds since;
  };

  std::shared_ptr<http_connection> take(bool fresh);
  void keep(std::shared_ptr<http_connection> connection);
  void sweep();

  event_loop& loop_;
  std::shared_ptr<const http_endpoint> server_;
  std::vector<idle_connection> idle_; ///< longest idle first
  std::map<std::uint64_t, std::shared_ptr<http_connection>> busy_;
  event_loop::timer sweeping_ = 0;
};

} // namespace brewery
