#pragma once
/// The proxy of one connected worker process: it turns what the pool says into
/// frames and back, keeps the session (cluster/worker_link.hpp), and gives the
/// worker up when it is silent or gone. The pool watches it.

#include "actors/interfaces.hpp"
#include "cluster/worker_link.hpp"
#include "messages/model_msgs.hpp"

#include <functional>
#include <mutex>
#include <set>
#include <tuple>

namespace brewery {

/// Contents by hash: documents and set-ups. Any thread; 0..1.
using blob_source =
    std::function<std::vector<std::string>(const std::string& hash)>;

/// Sends a frame to the worker; safe from any thread.
using frame_sender = std::function<void(std::shared_ptr<const std::string>)>;

/// Asks the models of a search for a job of a worker; `done` is called once,
/// from any thread. Empty: there are none.
using model_source =
    std::function<void(const search_id& search, const model_call& call,
                       std::function<void(result<model_answer>)> done)>;

/// Where the rollouts of a search get their grades, when their workers do not
/// have the goldens.
struct grading {
  ledger_actor ledger; ///< null: nowhere
  std::string goldens; ///< fingerprint
};
/// Any thread. Empty: there is none.
using grading_source = std::function<grading(const search_id& search)>;

/// Told of every lease that goes to a worker of this name; may be empty.
using lease_observer =
    std::function<void(const std::string& worker, const lease_order&)>;

/// A message that came from the worker, decoded.
struct arrived_message {
  std::shared_ptr<const std::string> frame;
};

struct remote_worker_inputs {
  cluster_options options;
  worker_hello hello;
  std::uint64_t session = 0;
  std::uint64_t epoch = 0;
  pool_actor pool;
  frame_sender send;
  blob_source blobs;
  model_source models;
  grading_source grades;
  /// One line about what happened to it, for the log.
  std::function<void(const std::string&)> on_event;
  lease_observer on_lease;
  std::function<instant()> now; ///< empty: the steady clock
};

} // namespace brewery

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::arrived_message)

namespace brewery {

using remote_worker_actor =
    interface<caf::result<void>(to_worker), caf::result<void>(arrived_message),
              /// The connection broke, or the worker says hello anew.
              caf::result<void>(atom::gone), caf::result<void>(atom::close),
              caf::result<void>(atom::tick),
              /// INTERNAL: look at its health, once.
              caf::result<void>(atom::submit)>;

/// Questions to models that are not answered yet: one that is repeated waits.
struct open_asks {
  using place = std::tuple<search_id, job_id, std::uint32_t>;
  std::mutex mutex;
  std::set<place> places;
};

struct remote_worker_state {
  static inline const char* name = "remote_worker";
  remote_worker_inputs in;
  std::shared_ptr<open_asks> asks = std::make_shared<open_asks>();
  std::unique_ptr<worker_link> link;
  worker_id number;
  bool joined = false;
};

remote_worker_actor::behavior_type
remote_worker(remote_worker_actor::stateful_pointer<remote_worker_state> self,
              std::shared_ptr<remote_worker_inputs> inputs);

} // namespace brewery
