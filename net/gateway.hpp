#pragma once
/// The coordinator's port of a cluster: one ROUTER socket on a thread of its
/// own. Frames come in as calls on that thread; frames go out from any thread.
///
/// Nothing is dropped in silence: a frame to a peer that is not there is
/// reported as `gone`, one to a peer whose pipe is full waits for a while and
/// is then counted in `dropped` (the protocol sends again what is not
/// confirmed). A connection that breaks is reported within milliseconds.
///
/// Encrypted with CURVE unless `plaintext`; then only on loopback or a local
/// socket, except with `insecure_plaintext_anywhere`. Without keys whoever can
/// connect can also fill the memory: libzmq holds the parts of a message until
/// the last one comes, and has no limit for their number.

#include "base/result.hpp"
#include "net/curve_keys.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace brewery {

/// A connection's name: the bytes of its routing id.
using peer_name = std::string;

struct gateway_options {
  std::string listen; ///< tcp://host:port ("*": any port) or ipc://path
  std::vector<curve_pair> keys; ///< 0..1; empty: plaintext
  /// Who may connect, read again at every handshake.
  std::filesystem::path key_directory;
  bool insecure_plaintext_anywhere = false;
};

struct gateway_calls {
  /// `key` is the peer's public key, empty in plaintext.
  std::function<void(const peer_name& peer, std::string_view key,
                     std::string frame)>
      on_frame;
  std::function<void(const peer_name& peer)> on_gone;
  /// A key that is not allowed knocked, once for each time; from a thread of
  /// its own. May be empty.
  std::function<void(std::string_view key)> on_refused;
};

class gateway {
public:
  /// ec::in_use when the address is taken, ec::invalid_argument for a plaintext
  /// listener that others could reach.
  static result<std::unique_ptr<gateway>> start(const gateway_options& options,
                                                gateway_calls calls);
  /// Sends what is queued, then ends its thread; no call is made afterwards.
  ~gateway();
  gateway(const gateway&) = delete;
  gateway& operator=(const gateway&) = delete;

  void send(const peer_name& peer, std::shared_ptr<const std::string> frame);

  /// Where it listens, with the port that was chosen.
  [[nodiscard]] std::string endpoint() const;
  [[nodiscard]] std::uint64_t dropped() const;
  /// When its loop last turned: liveness.
  [[nodiscard]] std::chrono::steady_clock::time_point last_turn() const;

private:
  struct state;
  explicit gateway(std::unique_ptr<state> started);
  std::unique_ptr<state> state_;
};

} // namespace brewery
