#pragma once
/// A worker's or operator's connection to a coordinator: one DEALER socket,
/// used by one thread. The socket reconnects by itself. While the coordinator
/// is away, frames are refused, not queued: the protocol sends again what was
/// not confirmed.

#include "base/result.hpp"
#include "net/curve_keys.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

struct dealer_options {
  std::string connect; ///< tcp://host:port or ipc://path
  std::string routing_id;
  std::optional<curve_pair> keys; ///< none: plaintext
  /// The coordinator's public keys; tried in turn, see `reconnect`.
  std::filesystem::path server_keys;
  /// ZeroMQ's threads are in real time (process/realtime.hpp), which the
  /// process must be allowed: `check_realtime`.
  bool realtime = false;
};

class dealer {
public:
  static result<std::unique_ptr<dealer>> open(const dealer_options& options);
  ~dealer();
  dealer(const dealer&) = delete;
  dealer& operator=(const dealer&) = delete;

  /// Returns false without a connection, or if its queue is full.
  bool send(const std::string& frame);
  std::optional<std::string> receive();

  /// Waits for a frame, a wake-up or the end of the time.
  void wait(std::chrono::milliseconds longest);
  /// Ends a wait. May be called from any thread.
  void wake();

  /// Drops the connection and makes a new one with the next coordinator key;
  /// the key file is read again. To be called when the coordinator does not
  /// answer: TCP can take minutes to notice that the network was cut.
  result<void> reconnect();
  /// True if the coordinator refused this key. The dealer still tries again,
  /// ever less often: a key can be allowed meanwhile.
  [[nodiscard]] bool refused() const;
  /// True if it was refused because it is revoked: trying again is pointless.
  [[nodiscard]] bool revoked() const;

private:
  struct state;
  explicit dealer(std::unique_ptr<state> opened);
  std::unique_ptr<state> state_;
};

} // namespace brewery
