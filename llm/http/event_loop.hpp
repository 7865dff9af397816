#pragma once
/// A thread that waits for sockets and timers. Other threads hand it work with
/// `post`. Objects of a loop are used only on its thread, so nothing here has
/// locks.

#include "base/result.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace brewery {

class event_loop {
public:
  using task = std::function<void()>;
  using milliseconds = std::chrono::milliseconds; ///< on the steady clock
  using timer = std::uint64_t;                    ///< 0 is none

  event_loop();
  /// Calls `stop`.
  ~event_loop();
  event_loop(const event_loop&) = delete;
  event_loop& operator=(const event_loop&) = delete;

  /// From any thread. Runs in the order of the calls.
  void post(task work);
  /// Whether the caller is on the loop's thread.
  [[nodiscard]] bool is_here() const;
  /// Ends the thread after its current work and drops other posted work. Must
  /// not be called on the loop's own thread.
  void stop();

  static milliseconds now();

  // The rest is for the loop's thread only.

  timer after(std::chrono::milliseconds wait, task work);
  void forget(timer which); ///< no effect if it has run
  /// The IP addresses of a host, as text. Concurrent requests for a name share
  /// one look-up, and the answer is cached for a minute.
  using addresses = std::vector<std::string>;
  void resolve(const std::string& host,
               std::function<void(const result<addresses>&)> done);
  void forget_addresses(const std::string& host);

  boost::asio::io_context& context();

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace brewery
