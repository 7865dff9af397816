#pragma once
/// Where frames from outside arrive: first contacts become proxies, the rest
/// goes to the proxy of its peer. `switchboard` is called on the gateway's
/// thread and knows who is who; `reception` is the actor that greets.

#include "messages/wire/frame.hpp"
#include "workers/remote_worker.hpp"

#include <mutex>
#include <string>
#include <unordered_map>

namespace brewery {

/// Sends a frame to a peer by name; safe from any thread.
using peer_sender = std::function<void(const std::string& peer,
                                       std::shared_ptr<const std::string>)>;

struct arrived_frame {
  std::string peer;
  std::string key; ///< the peer's public key; empty in plaintext
  std::shared_ptr<const std::string> bytes;
};

/// Answers an operator; `reply` may be called later, from any thread, once.
using operator_handler =
    std::function<void(const operator_request& request,
                       std::function<void(operator_reply)> reply)>;

/// What the holder of a key may be: "worker", "operator"; empty: nothing. An
/// error when that cannot be known now. Empty keys come from plaintext peers.
using role_lookup = std::function<result<std::string>(const std::string& key)>;

} // namespace brewery

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::arrived_frame)

namespace brewery {

using reception_actor = interface<caf::result<void>(arrived_frame)>;

class switchboard {
public:
  void open(reception_actor reception) { reception_ = std::move(reception); }
  /// A frame for the peer's proxy, or for the reception.
  void frame(const std::string& peer, std::string_view key, std::string bytes);
  void gone(const std::string& peer);

  void connect(const std::string& peer, const std::string& key,
               remote_worker_actor proxy);
  /// The proxy that the peer had.
  remote_worker_actor disconnect(const std::string& peer);
  /// This proxy has ended.
  void ended(const std::string& peer, const caf::actor_addr& proxy);
  /// Every proxy, for the end.
  std::vector<remote_worker_actor> all();
  [[nodiscard]] std::size_t size() const;

private:
  struct line {
    std::string key;
    remote_worker_actor proxy;
  };
  reception_actor reception_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, line> lines_;
};

struct reception_inputs {
  cluster_options options;
  std::uint64_t epoch = 0;
  pool_actor pool;
  std::shared_ptr<switchboard> board;
  peer_sender send;
  blob_source blobs;
  model_source models;
  grading_source grades;
  role_lookup role_of;
  operator_handler operators; ///< empty: none are served
  std::function<void(const std::string&)> on_event;
  lease_observer on_lease;
  std::function<void(std::string_view why)> on_refused; ///< for metrics
};

struct reception_state {
  static inline const char* name = "reception";
  reception_inputs in;
  std::uint32_t sessions = 0;
  watch_list watched;
};

reception_actor::behavior_type
reception(reception_actor::stateful_pointer<reception_state> self,
          std::shared_ptr<reception_inputs> inputs);

} // namespace brewery
