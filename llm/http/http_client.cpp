#include "llm/http/http_client.hpp"

namespace brewery {

http_client::http_client(event_loop& loop,
                         std::shared_ptr<const http_endpoint> server)
    : loop_(loop), server_(std::move(server)) {}

http_client::~http_client() {
  loop_.forget(sweeping_);
  for (const auto& one : idle_)
    one.connection->close();
}

void http_client::send(std::uint64_t id, const http_call& call,
                       http_connection::done finished) {
  auto connection = take(call.fresh);
  busy_[id] = connection;
  connection->exchange(
      call, [this, id, finished = std::move(finished)](http_outcome outcome) {
        const auto found = busy_.find(id);
        if (found != busy_.end()) {
          keep(std::move(found->second));
          busy_.erase(found);
        }
        finished(std::move(outcome));
      });
}

void http_client::cancel(std::uint64_t id) {
  const auto found = busy_.find(id);
  if (found == busy_.end()) return;
  // A copy, because `finished` removes it from the map.
  const auto connection = found->second;
  connection->close();
}

std::shared_ptr<http_connection> http_client::take(bool fresh) {
  while (!fresh && !idle_.empty()) {
    auto last = std::move(idle_.back().connection);
    idle_.pop_back();
    if (last->is_reusable()) return last;
    last->close();
  }
  return http_connection::make(loop_, *server_);
}

void http_client::keep(std::shared_ptr<http_connection> connection) {
  if (!connection->is_reusable()) return connection->close();
  idle_.push_back({std::move(connection), event_loop::now()});
  if (sweeping_ == 0) sweep();
}

/// Closes connections that are idle for too long, and sets a timer for the
/// next.
void http_client::sweep() {
  const auto keep_alive = server_->server.options.keep_alive;
  const auto now = event_loop::now();
  auto first = idle_.begin();
  for (; first != idle_.end() && now >= first->since + keep_alive; ++first)
    first->connection->close();
  idle_.erase(idle_.begin(), first);
  sweeping_ = idle_.empty()
                  ? 0
                  : loop_.after(idle_.front().since + keep_alive - now,
                                [this] { sweep(); });
}

} // namespace brewery
