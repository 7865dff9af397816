#pragma once
/// Handles frames from outside. The first frame of a peer goes to the worker
/// acceptor, which greets it; later frames go to the peer's proxy.
/// `peer_router` is called on the gateway's thread and maps peers to proxies.
/// `worker_acceptor` is the actor that greets new peers.

#include "messages/wire/frame.hpp"
#include "workers/remote_worker.hpp"

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace brewery {

/// Sends a frame to a peer, given its name. Safe from any thread.
using peer_sender = std::function<void(const std::string& peer,
                                       std::shared_ptr<const std::string>)>;

struct arrived_frame {
  std::string peer;
  std::string key; ///< the peer's public key; empty in plaintext
  std::shared_ptr<const std::string> bytes;
};

/// Answers an operator, `asker`, who may send the same order again until it is
/// answered. `reply` may be called later, at most once, from any thread.
using operator_handler = std::function<void(
    const std::string& asker, const operator_request& request,
    std::function<void(operator_reply)> reply)>;

/// After a look at the keys of all sessions.
struct checked_sessions {
  std::uint64_t ended = 0;
  std::uint64_t unknown = 0; ///< still open: nobody could say whose key it is
  std::string why;           ///< of the first of them
};

/// What the holders of keys may be, in this order and by one reading of the
/// lists: "worker", "operator"; empty: nothing any more. An error when that
/// cannot be known now. Empty keys come from plaintext peers.
using peer_kind_lookup = std::function<std::vector<result<std::string>>(
    const std::vector<std::string>& keys)>;

/// Where there are no keys.
peer_kind_lookup all_are_workers();

} // namespace brewery

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::arrived_frame)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::checked_sessions)

namespace brewery {

using worker_acceptor_actor =
    interface<caf::result<void>(arrived_frame),
              /// Ends the sessions of workers whose key may not work here any
              /// more.
              caf::result<checked_sessions>(atom::check)>;

class peer_router {
public:
  void open(worker_acceptor_actor worker_acceptor) {
    acceptor_ = std::move(worker_acceptor);
  }
  /// Delivers a frame to the peer's proxy, or to the worker acceptor.
  void frame(const std::string& peer, std::string_view key, std::string bytes);
  void gone(const std::string& peer);

  void connect(const std::string& peer, const std::string& key,
               remote_worker_actor proxy);
  /// Removes a peer and returns the proxy that it had.
  remote_worker_actor disconnect(const std::string& peer);
  /// Removes this proxy, which has ended.
  void ended(const std::string& peer, const caf::actor_addr& proxy);
  struct peer_entry {
    std::string key;
    remote_worker_actor proxy;
  };
  /// All proxies with the keys of their peers.
  [[nodiscard]] std::vector<peer_entry> all() const;
  [[nodiscard]] std::size_t size() const;

private:
  worker_acceptor_actor acceptor_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, peer_entry> peers_;
};

struct worker_acceptor_inputs {
  cluster_options options;
  std::uint64_t epoch = 0;
  std::string cluster{}; ///< see worker_welcome
  pool_actor pool;
  std::shared_ptr<peer_router> router;
  peer_sender send;
  blob_source blobs;
  model_source models;
  grading_source grades;
  peer_kind_lookup peer_kinds_of;
  operator_handler operators; ///< empty: none are served
  std::function<void(const std::string&)> on_event;
  worker_log_observer on_log;
  lease_observer on_lease;
  std::function<void(std::string_view why)> on_refused; ///< for metrics
};

struct worker_acceptor_state {
  static inline const char* name = "worker_acceptor";
  worker_acceptor_inputs in;
  std::uint32_t sessions = 0;
  watch_list watched;
};

worker_acceptor_actor::behavior_type worker_acceptor(
    worker_acceptor_actor::stateful_pointer<worker_acceptor_state> self,
    std::shared_ptr<worker_acceptor_inputs> inputs);

} // namespace brewery
