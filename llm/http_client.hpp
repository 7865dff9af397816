#pragma once
/// The connections of one server on one event loop: used again while they are
/// open, the last used first, closed when unused for `keep_alive`. How many
/// there are is decided by who calls. On the loop's thread only.

#include "llm/event_loop.hpp"
#include "llm/http_connection.hpp"
#include "llm/http_exchange.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace brewery {

class http_client {
public:
  http_client(event_loop& loop, std::shared_ptr<const http_endpoint> server);
  /// What is under way is dropped without a word: cancel it before.
  ~http_client();
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;

  /// `id` is the caller's, for `cancel`. `finished` comes on the loop's thread,
  /// not from within this call.
  void send(std::uint64_t id, const http_call& call,
            http_connection::done finished);

  /// Ends it as http_trouble::cancelled; fine when it is over.
  void cancel(std::uint64_t id);

  [[nodiscard]] std::size_t idle() const { return idle_.size(); }

private:
  struct idle_connection {
    std::shared_ptr<http_connection> connection;
    event_loop::instant since;
  };

  std::shared_ptr<http_connection> take(bool fresh);
  void keep(std::shared_ptr<http_connection> connection);
  void sweep();

  event_loop& loop_;
  std::shared_ptr<const http_endpoint> server_;
  std::vector<idle_connection> idle_; ///< the longest unused first
  std::map<std::uint64_t, std::shared_ptr<http_connection>> busy_;
  event_loop::timer sweeping_ = 0;
};

} // namespace brewery
