#pragma once
/// The worker's end of the protocol: what it holds, what it has told the
/// coordinator and what was confirmed. Owned by the network thread of a worker
/// process; the simulator drives the same code. PURE.
///
/// It survives its coordinator: without one it goes on with what it runs, says
/// hello until it is heard, and names what it holds; results are resent until
/// acknowledged and, if that takes long, put into the spool.

#include "cluster/model_asks.hpp"
#include "cluster/options.hpp"
#include "messages/wire/frame.hpp"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace brewery {

struct worker_profile {
  std::string name;
  std::string incarnation;
  std::string host;
  std::string build;
  std::uint32_t slots = 1;
  std::vector<std::string> roles;
  std::vector<benchmark_offer> benchmarks;
};

/// A result on disk, from this process or one before it.
struct spooled_result {
  lease_key key;
  std::string result;
  std::string error;
  BREWERY_FIELDS(spooled_result, key, result, error)
};

/// What the owner is to do, in the order of the members.
struct worker_step {
  std::vector<spooled_result> to_spool;
  std::vector<lease_key> unspool; ///< may not be in the spool
  std::vector<wire::message> send;
  std::vector<lease_key> stop;      ///< running jobs nobody wants any more
  std::vector<lease_grant> start;   ///< a slot is free for each
  std::vector<blob_content> blobs;  ///< that were asked for
  std::vector<model_reply> replies; ///< to questions of running jobs
  std::optional<std::string> leave; ///< the session is over: why
  std::string note;                 ///< for the log; may be empty
};

class worker_session {
public:
  worker_session(worker_profile profile, const cluster_options& options,
                 std::vector<spooled_result> spooled = {});

  worker_step begin(instant now);
  worker_step on(const wire::message& message, instant now);
  /// A job ended: `error` is empty when `result` is one.
  worker_step finished(const search_id& search, const job_id& job,
                       std::string result, std::string error, instant now);
  void progress(const search_id& search, const job_id& job,
                std::uint64_t steps);
  /// Asks for contents; repeated until they come.
  worker_step fetch(const std::vector<std::string>& hashes, instant now);
  /// A running job asks a language model; repeated until the reply comes. With
  /// a coordinator that knows no models the reply is an error.
  worker_step ask_model(const job_id& job, std::uint32_t number,
                        std::string call, instant now);
  /// What was to be sent had no connection: a hello is tried again soon.
  void unsent(instant now);
  /// Call at least every `tick_every`.
  worker_step tick(instant now);
  /// Takes no more jobs and leaves when the last is acknowledged.
  worker_step drain(std::string reason, instant now);
  /// Hands back what runs, spools what is not acknowledged, leaves.
  worker_step hand_back(std::string reason, instant now);

  [[nodiscard]] instant tick_every() const;
  [[nodiscard]] bool connected() const { return session_ != 0; }
  [[nodiscard]] bool draining() const { return draining_; }
  [[nodiscard]] std::size_t running() const;
  [[nodiscard]] std::size_t unacknowledged() const;

private:
  using job_key = std::pair<search_id, job_id>;
  struct holding {
    lease_key key;
    bool finished = false;
    std::uint64_t steps = 0;
    std::string result, error;
    instant finished_at{0};
    instant resend_at{0};
    std::uint32_t resends = 0;
    bool spooled = false;
  };

  void say_hello(worker_step& out, instant now);
  void report(worker_step& out, holding& held, instant now);
  void beat(worker_step& out, instant now);
  void forget(worker_step& out, const lease_key& key);
  void drop(worker_step& out, const job_key& job);
  std::vector<held_job> holdings() const;
  instant backoff(std::uint32_t tries) const;
  void leave_if_done(worker_step& out);
  /// Not 0, as a message of no session has it.
  [[nodiscard]] bool is_ours(std::uint64_t session) const {
    return session_ != 0 && session == session_;
  }

  void on(worker_step& out, const worker_welcome& message, instant now);
  void on(worker_step& out, const peer_refusal& message, instant now);
  void on(worker_step& out, const lease_grant& message, instant now);
  void on(worker_step& out, const heartbeat_reply& message, instant now);
  void on(worker_step& out, const result_ack& message, instant now);
  void on(worker_step& out, const lease_cancel& message, instant now);
  void on(worker_step& out, const drain_order& message, instant now);
  void on(worker_step& out, const blob_content& message, instant now);
  void on(worker_step& out, const model_reply& message, instant now);
  void send_asks(worker_step& out, instant now);
  template <class Other>
  void on(worker_step&, const Other&, instant) {} // not for workers

  worker_profile profile_;
  cluster_options options_;
  std::map<job_key, holding> held_;
  std::deque<lease_key> ended_; ///< a late copy of their grant is ignored
  std::map<std::string, instant> wanted_; ///< blobs, and when to ask again
  model_asks asks_;
  std::uint32_t protocol_ = 0; ///< of the session
  std::uint64_t session_ = 0;  ///< 0: none
  std::uint64_t hello_ = 0;
  std::uint64_t beat_ = 0;
  instant hello_at_{0}, beat_at_{0}, heard_at_{0};
  std::uint32_t hellos_unheard_ = 0;
  bool draining_ = false;
  std::string drain_reason_;
  bool left_ = false;
};

} // namespace brewery
