#pragma once
/// The coordinator's port of a cluster: one ROUTER socket on its own thread.
/// Received frames are passed to `gateway_calls` on that thread. Any thread may
/// send.
///
/// Nothing is dropped silently. A frame to a peer that is not connected is
/// reported by `on_gone`. A frame to a peer whose queue is full waits for a
/// while and is then counted in `dropped`; the protocol sends again what is not
/// confirmed. A broken connection is reported within milliseconds.
///
/// Connections are encrypted with CURVE. Without keys (plaintext), the address
/// must be a loopback address or a local socket, unless
/// `insecure_plaintext_anywhere` is set. Without keys, anyone who can connect
/// can fill the memory: libzmq holds the parts of a message until the last one
/// arrives, without a limit on their number.

#include "base/result.hpp"
#include "net/curve_keys.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace brewery {

/// The name of a connection: the bytes of its routing id.
using peer_name = std::string;

struct gateway_options {
  std::string listen; ///< tcp://host:port ("*": any port) or ipc://path
  std::optional<curve_pair> keys; ///< none: plaintext
  /// Who may connect, read again at every handshake.
  std::filesystem::path key_directory;
  bool insecure_plaintext_anywhere = false;
  /// A peer without encryption tried to connect where there are keys; called on
  /// the gateway's thread, with `gateway_calls::on_garbage`. May be empty.
  std::function<void()> on_plaintext{};
  /// Its thread and ZeroMQ's are in real time (process/realtime.hpp), which the
  /// process must be allowed: `check_realtime`.
  bool realtime = false;
};

struct gateway_calls {
  /// A frame arrived. `key` is the peer's public key, empty in plaintext.
  std::function<void(const peer_name& peer, std::string_view key,
                     std::string frame)>
      on_frame;
  std::function<void(const peer_name& peer)> on_gone;
  /// A key that is not allowed tried to connect; called once per try, on
  /// another thread than the other calls. May be empty.
  std::function<void(std::string_view key)> on_refused;
  /// Whether a key is allowed cannot be known now; called as `on_refused`. The
  /// peer will try again.
  std::function<void(std::string_view why)> on_unjudged;
  /// Somebody connected who does not speak this protocol, or a message was not
  /// a frame. May be empty, as the next.
  std::function<void()> on_garbage;
  /// There are no descriptors left: somebody who wanted to connect was turned
  /// away. Who is connected stays so.
  std::function<void()> on_exhausted;
};

class gateway {
public:
  /// Error ec::in_use: the address is taken. Error ec::invalid_argument: a
  /// plaintext address that other machines could reach.
  static result<std::unique_ptr<gateway>> start(const gateway_options& options,
                                                gateway_calls calls);
  /// Sends the queued frames, then ends the thread. Makes no calls afterwards.
  ~gateway();
  gateway(const gateway&) = delete;
  gateway& operator=(const gateway&) = delete;

  void send(const peer_name& peer, std::shared_ptr<const std::string> frame);

  /// The address, with the port that was chosen.
  [[nodiscard]] std::string endpoint() const;
  [[nodiscard]] std::uint64_t dropped() const;
  /// The time of the last turn of the gateway's loop; shows that it is alive.
  [[nodiscard]] std::chrono::steady_clock::time_point last_turn() const;

private:
  struct state;
  explicit gateway(std::unique_ptr<state> started);
  std::unique_ptr<state> state_;
};

} // namespace brewery
