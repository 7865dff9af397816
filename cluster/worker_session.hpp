#pragma once
/// The worker's end of the protocol: what the worker holds, what it has sent to
/// the coordinator and what was confirmed. Owned by the network thread of a
/// worker process; the simulator drives the same code. PURE.
///
/// The session survives its coordinator. Without one, running jobs continue.
/// The worker repeats its hello until it is answered, and names what it holds.
/// Results are resent until they are acknowledged; if that takes long, they are
/// spooled.

#include "cluster/options.hpp"
#include "cluster/questions/repeated_asks.hpp"
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
  std::vector<job_kind> roles;
  std::vector<benchmark_offer> benchmarks;
  std::vector<std::string> tags{};
  std::map<std::string, std::uint32_t> slots_for{}; ///< by fingerprint
};

/// A result on disk, from this process or an earlier one.
struct spooled_result {
  lease_key key;
  std::string result;
  std::string error;
  /// Of the coordinator that waits for it (worker_welcome). Empty: any may.
  std::string cluster{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "cluster";
  }
  BREWERY_FIELDS(spooled_result, key, result, error, cluster)
};

/// What the owner must do, in the order of the members.
struct worker_step {
  std::vector<spooled_result> to_spool;
  /// Results in the spool that another coordinator waits for: they are left
  /// for a worker of it.
  std::vector<lease_key> set_aside;
  std::vector<lease_key> unspool; ///< may be absent from the spool
  std::vector<wire::message> send;
  std::vector<lease_key> stop;      ///< running jobs that nobody wants any more
  std::vector<lease_grant> start;   ///< as soon as there is a free slot
  std::vector<blob_content> blobs;  ///< the requested ones
  std::vector<model_reply> replies; ///< to questions of running jobs
  std::vector<grade_reply> grades;  ///< of running rollouts
  std::optional<std::string> leave; ///< the session is over; the reason
  std::string note;                 ///< for the log; may be empty
  /// Nobody answers for `unanswered_max`. Said again every minute.
  bool unanswered = false;
};

class worker_session {
public:
  static constexpr std::chrono::seconds unanswered_max{15};
  static constexpr std::chrono::seconds unanswered_again{60};
  /// Who waits for a slot for longer ends with `no_slot`, and is another's
  /// then: what was to be short before it is not.
  static constexpr std::chrono::milliseconds slot_wait_max{1'000};
  static error no_slot() {
    return {ec::cancelled, "no slot was free for it in time"};
  }

  worker_session(worker_profile profile, const cluster_options& options,
                 std::vector<spooled_result> spooled = {});

  /// A line of the log for the coordinator, with the next heartbeat. Only the
  /// last `log_lines_max` are kept until then.
  void log(std::string line);
  static constexpr std::size_t log_lines_max = 100;
  static constexpr std::size_t log_bytes_max = 4000; ///< of a line

  worker_step begin(microseconds now);
  worker_step on(const wire::message& message, microseconds now);
  /// A job ended, with a `result`, or else with an `error`. The coordinator
  /// grants jobs ahead of slots to those who say what theirs took there.
  worker_step finished(const run_id& run, const job_id& job, std::string result,
                       std::string error, microseconds now,
                       microseconds played = microseconds{0});
  void progress(const run_id& run, const job_id& job, std::uint64_t steps);
  /// Requests contents. The request is repeated until they arrive.
  worker_step fetch(const std::vector<std::string>& hashes, microseconds now);
  /// Asks a language model for a running job. The question is repeated until
  /// the reply arrives. If the coordinator has no models, the reply is an
  /// error.
  worker_step ask_model(const run_id& run, const job_id& job,
                        std::uint32_t number, std::string call,
                        microseconds now);
  /// Asks for the grade of a running rollout, in the same way.
  worker_step ask_grade(const run_id& run, const job_id& job,
                        const task_id& task,
                        const std::vector<answer_file>& answers,
                        microseconds now);
  /// There was no connection for the messages to send: tries a hello soon.
  void unsent(microseconds now);
  /// Call at least every `tick_every`.
  worker_step tick(microseconds now);
  /// The result that `to_spool` gave is not on disk: it is given again later.
  void not_spooled(const lease_key& key, microseconds now);
  /// Takes no more jobs and leaves when the last result is acknowledged.
  worker_step drain(std::string reason, microseconds now);
  /// Gives running jobs back, spools unacknowledged results, and leaves.
  worker_step hand_back(std::string reason, microseconds now);

  [[nodiscard]] microseconds tick_every() const;
  [[nodiscard]] bool connected() const { return session_ != 0; }
  /// Whether frames to the coordinator may be batched.
  [[nodiscard]] bool takes_batches() const {
    return session_ != 0 && protocol_ >= protocol_with_batches;
  }
  /// How long it has been looking for a coordinator.
  [[nodiscard]] std::chrono::seconds unanswered_for(microseconds now) const {
    return std::chrono::duration_cast<std::chrono::seconds>(
        now - unanswered_since_);
  }
  [[nodiscard]] bool draining() const { return draining_; }
  [[nodiscard]] std::size_t running() const;
  [[nodiscard]] std::size_t unacknowledged() const;

private:
  using job_key = std::pair<run_id, job_id>;
  struct assigned_job {
    lease_key key;
    bool finished = false;
    std::uint64_t steps = 0;
    std::string result, error;
    std::uint32_t played_us = 0;
    std::string cluster; ///< of the coordinator that granted or adopted it
    microseconds spool_at{0};
    microseconds resend_at{0};
    std::uint32_t resends = 0;
    bool spooled = false;
  };

  /// Equal jobs of two runs are two: a model may answer each otherwise.
  [[nodiscard]] bool runs(const run_id& run, const job_id& job) const;
  void say_hello(worker_step& out, microseconds now);
  void report(worker_step& out, assigned_job& entry, microseconds now);
  void beat(worker_step& out, microseconds now);
  void forget(worker_step& out, const lease_key& key);
  void drop(worker_step& out, const job_key& job);
  void keep_adopted(worker_step& out, const worker_welcome& message,
                    microseconds now);
  void set_aside(worker_step& out, const job_key& job);
  [[nodiscard]] bool is_of_another(const assigned_job& entry,
                                   bool adopted) const;
  static spooled_result for_spool(const assigned_job& entry);
  std::vector<worker_job> holdings() const;
  microseconds backoff(std::uint32_t tries) const;
  void leave_if_done(worker_step& out);
  /// Excludes 0, which stands for no session.
  [[nodiscard]] bool is_ours(std::uint64_t session) const {
    return session_ != 0 && session == session_;
  }

  void on(worker_step& out, const worker_welcome& message, microseconds now);
  void on(worker_step& out, const peer_refusal& message, microseconds now);
  void on(worker_step& out, const lease_grant& message, microseconds now);
  void on(worker_step& out, const heartbeat_reply& message, microseconds now);
  void on(worker_step& out, const result_ack& message, microseconds now);
  void on(worker_step& out, const lease_cancel& message, microseconds now);
  void on(worker_step& out, const drain_order& message, microseconds now);
  void on(worker_step& out, const blob_content& message, microseconds now);
  void on(worker_step& out, const model_reply& message, microseconds now);
  void on(worker_step& out, const grade_reply& message, microseconds now);
  void send_asks(worker_step& out, microseconds now);
  void send(worker_step& out, model_ask ask);
  void send(worker_step& out, grade_ask ask);
  template <class Other>
  // Messages not meant for workers.
  void on(worker_step&, const Other&, microseconds) {}

  worker_profile profile_;
  cluster_options options_;
  std::map<job_key, assigned_job> assigned_;
  /// In this session: late copies of their grants are ignored.
  std::deque<lease_key> ended_;
  /// Hashes of blobs, and when to ask again.
  std::map<std::string, microseconds> wanted_;
  repeated_asks<model_ask> model_asks_;
  repeated_asks<grade_ask> grade_asks_;
  std::uint32_t protocol_ = 0; ///< of the session
  std::string cluster_;        ///< of the latest session's coordinator
  std::uint64_t session_ = 0;  ///< 0: no session
  std::uint64_t hello_ = 0;
  std::uint64_t beat_ = 0;
  microseconds hello_at_{0}, beat_at_{0}, heard_at_{0};
  /// Hellos without an answer; 0 in a session.
  std::uint32_t hellos_unheard_ = 0;
  microseconds unanswered_since_{0}; ///< without a session
  microseconds unanswered_at_{0};    ///< when to say so
  bool draining_ = false;
  std::string drain_reason_;
  std::deque<std::string> log_;
  bool left_ = false;
};

} // namespace brewery
