#pragma once
/// What the coordinator does for one connected worker. It turns the pool's
/// orders into messages, and messages into reports to the pool or questions to
/// models and graders. It ends the worker's session when the worker is silent.
/// It keeps the link (cluster/worker_link.hpp). Owned by the worker's proxy
/// actor; the simulator drives the same code. PURE.

#include "cluster/questions/job_questions.hpp"
#include "cluster/worker_link.hpp"
#include "cluster/worker_orders.hpp"
#include "messages/wire/frame.hpp"

namespace brewery {

/// Unique over all starts of the coordinator.
constexpr std::uint64_t session_number(std::uint64_t epoch,
                                       std::uint32_t count) {
  return (epoch << 32) + count;
}

/// What the owner must do, in the order of the members.
struct proxy_step {
  std::vector<std::string> news; ///< about the worker, for the log
  std::vector<std::string> log;  ///< lines of the worker's own log
  std::vector<wire::message> send;
  std::vector<std::shared_ptr<const std::string>> frames; ///< to send as well
  std::vector<worker_report> reports;                     ///< to the pool
  /// Hashes of contents to look up and send, at most one frame's worth.
  std::vector<std::string> contents;
  std::vector<model_question> models; ///< pass the answers to `answered`
  std::vector<grade_question> grades; ///< pass the answers to `graded`
  bool ended = false;                 ///< the proxy's work is over
};

class worker_proxy {
public:
  struct settings {
    cluster_options options;
    worker_hello hello;
    std::uint64_t session = 0;
    std::uint64_t epoch = 0;
    bool has_models = false;
    std::string cluster{}; ///< the coordinator's, for the welcome
  };
  worker_proxy(settings about, microseconds now);

  /// The pool has accepted the worker.
  proxy_step joined(const joined_worker& answer, microseconds now);
  proxy_step order(const worker_order& what, microseconds now);
  proxy_step receive(const wire::message& message, microseconds now);
  /// The worker sent bytes that are not a message.
  proxy_step unreadable(const error& why) const;
  /// The answer to a question that was passed on.
  proxy_step answered(const question_place& place,
                      const result<model_answer>& answer);
  proxy_step graded(const question_place& place,
                    const result<job_result>& answer);
  /// The connection broke. Call `check` when `suspicion` is over.
  void disconnected(microseconds now) { link_.disconnected(now); }
  /// Another proxy takes over because the worker has sent a new hello.
  proxy_step replaced() const;
  /// The worker may no longer work here. Its jobs go to others.
  proxy_step dismissed(const std::string& why) const;
  /// Call once per `heartbeat`.
  proxy_step check(microseconds now);

  /// The number of the worker; 0 before it has joined.
  [[nodiscard]] worker_id worker() const { return worker_; }
  [[nodiscard]] const worker_hello& hello() const { return about_.hello; }
  [[nodiscard]] std::uint64_t session() const { return about_.session; }
  /// Whether frames to the worker may be batched.
  [[nodiscard]] bool takes_batches() const;

private:
  void say(proxy_step& out, const std::string& what) const;
  void leave(proxy_step& out, job_table::departure how,
             const std::string& why) const;

  void carry_out(proxy_step& out, const lease_order& order, microseconds now);
  void carry_out(proxy_step& out, const result_settled& order,
                 microseconds now);
  void carry_out(proxy_step& out, const lease_ended& order, microseconds now);
  void carry_out(proxy_step& out, const drain_worker& order, microseconds now);

  void fail_ignored(proxy_step& out,
                    const std::vector<lease_key>& ignored) const;
  void on(proxy_step& out, const worker_heartbeat& message, microseconds now);
  void on(proxy_step& out, const result_report& message, microseconds now);
  void on(proxy_step& out, const blob_request& message, microseconds now);
  void on(proxy_step& out, const model_ask& message, microseconds now);
  void on(proxy_step& out, const grade_ask& message, microseconds now);
  void ask(proxy_step& out, job_questions::outcome what) const;
  void on(proxy_step& out, const worker_goodbye& message, microseconds now);
  template <class Other>
  void on(proxy_step& out, const Other&, microseconds) {
    say(out, std::string{"sent a "} + Other::type_name
                 + ", which is not for a coordinator");
  }

  settings about_;
  worker_link link_;
  job_questions questions_;
  worker_id worker_;
  std::optional<std::string> drain_; ///< it was told to drain: why
};

} // namespace brewery
