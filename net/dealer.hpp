#pragma once
/// A worker's or operator's connection to a coordinator: one DEALER socket,
/// used by one thread. It connects again by itself; frames for a coordinator
/// that is not there are not queued but refused, because the protocol sends
/// again what was not confirmed.

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
  std::vector<curve_pair> keys; ///< 0..1; empty: plaintext
  /// The coordinator's public keys; tried in turn, see `reconnect`.
  std::filesystem::path server_keys;
};

class dealer {
public:
  static result<std::unique_ptr<dealer>> open(const dealer_options& options);
  ~dealer();
  dealer(const dealer&) = delete;
  dealer& operator=(const dealer&) = delete;

  /// False when there is no connection or it is full.
  bool send(const std::string& frame);
  std::optional<std::string> receive();

  /// Until a frame, a wake-up or the end of the time.
  void wait(std::chrono::milliseconds longest);
  /// From any thread.
  void wake();

  /// Drops the connection and makes another, with the next of the keys (read
  /// again). For when nobody answers: a connection through a network that was
  /// cut can take minutes to notice.
  result<void> reconnect();
  /// The coordinator refused this key: trying again makes no sense.
  [[nodiscard]] bool refused();

private:
  struct state;
  explicit dealer(std::unique_ptr<state> opened);
  std::unique_ptr<state> state_;
};

} // namespace brewery
