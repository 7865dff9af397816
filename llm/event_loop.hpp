#pragma once
/// A thread that waits for sockets and timers, and the only way onto it. What
/// belongs to a loop is touched on its thread alone, so nothing here has locks.

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
  using instant = std::chrono::milliseconds; ///< of the steady clock
  using timer = std::uint64_t;               ///< 0 is none

  event_loop();
  /// Stops, see there.
  ~event_loop();
  event_loop(const event_loop&) = delete;
  event_loop& operator=(const event_loop&) = delete;

  /// From any thread. In the order of the calls.
  void post(task work);
  /// Whether the caller is on the loop's thread.
  [[nodiscard]] bool is_here() const;
  /// Ends the thread after what it is doing; what else was posted is dropped.
  /// Not from the loop's own thread.
  void stop();

  static instant now();

  // On the loop's thread only.

  timer after(std::chrono::milliseconds wait, task work);
  void forget(timer which); ///< fine when it has run
  /// IP addresses of a host, as text. Names are asked for once for all who
  /// wait, and known for a minute.
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
