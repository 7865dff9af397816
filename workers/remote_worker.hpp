#pragma once
/// The actor around the proxy of one connected worker process
/// (cluster/worker_proxy.hpp). It turns the pool's messages into frames and
/// frames into messages. It gives the worker up when it is silent or gone. The
/// pool monitors it.

#include "actors/interfaces.hpp"
#include "cluster/worker_proxy.hpp"

#include <functional>
#include <optional>

namespace brewery {

/// Finds content by hash: documents and set-ups. Called from any thread.
using blob_source =
    std::function<std::optional<std::string>(const std::string& hash)>;

/// Sends a frame to the worker. Safe from any thread.
using frame_sender = std::function<void(std::shared_ptr<const std::string>)>;

/// Asks the models of a run for a worker's job. `done` is called once, from
/// any thread. If empty, there are no models.
using model_source =
    std::function<void(const run_id& run, const model_call& call,
                       std::function<void(result<model_answer>)> done)>;

/// Where the rollouts of a run get their grades when workers lack the
/// goldens.
struct grading {
  ledger_actor ledger; ///< null: there is no grading
  std::string goldens; ///< fingerprint of the goldens
};
/// Called from any thread. If empty, there is no grading.
using grading_source = std::function<grading(const run_id& run)>;

/// Called for every lease that goes to a worker of this name; may be empty.
using lease_observer =
    std::function<void(const std::string& worker, const lease_order&)>;

using worker_log_observer =
    std::function<void(const std::string& worker, const std::string& line)>;

/// A frame from the worker, or a batch of them.
struct arrived_message {
  std::shared_ptr<const std::string> frame;
};

/// The result of a question to a model; sent from any thread.
struct answered_question {
  question_place place;
  result<model_answer> answer;
};

struct remote_worker_inputs {
  cluster_options options;
  worker_hello hello;
  std::uint64_t session = 0;
  std::uint64_t epoch = 0;
  std::string cluster{}; ///< see worker_welcome
  pool_actor pool;
  frame_sender send;
  blob_source blobs;
  model_source models;
  grading_source grades;
  /// Called with one line per event, for the log.
  std::function<void(const std::string&)> on_event;
  /// Called with each line of a worker's log; may be empty.
  worker_log_observer on_log;
  lease_observer on_lease;
  std::function<microseconds()> now; ///< empty: the steady clock
};

} // namespace brewery

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::arrived_message)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::answered_question)

namespace brewery {

using remote_worker_actor =
    interface<caf::result<void>(to_worker), caf::result<void>(arrived_message),
              caf::result<void>(answered_question),
              /// `gone`: the connection broke, or the worker has sent a new
              /// hello.
              caf::result<void>(atom::gone), caf::result<void>(atom::close),
              /// Sends the worker away; the text says why.
              caf::result<void>(atom::stop, std::string),
              caf::result<void>(atom::tick),
              /// INTERNAL: look at its health, once.
              caf::result<void>(atom::check)>;

struct remote_worker_state {
  static inline const char* name = "remote_worker";
  remote_worker_inputs in;
  std::unique_ptr<worker_proxy> core;
  // What one message makes of it goes together.
  std::vector<std::shared_ptr<const std::string>> frames; ///< to the worker
  std::vector<worker_report> reports;                     ///< to the pool
  bool ended = false;
  watch_list watched;
};

remote_worker_actor::behavior_type
remote_worker(remote_worker_actor::stateful_pointer<remote_worker_state> self,
              std::shared_ptr<remote_worker_inputs> inputs);

} // namespace brewery
