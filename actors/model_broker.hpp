#pragma once
/// Handles all model calls of one run, including those of remote workers. Owned
/// jointly by the users of the run; one per run; every method may be called
/// from any thread. A call passes these steps:
///   1. The recording: a recorded reply is not paid for again.
///   2. The calls under way: equal calls wait for the same reply.
///   3. The budget.
///   4. The transport. Its reply is on disk before anyone sees it.
/// A verdict on a reply is recorded and asks nothing. After an attempt of a job
/// that failed, the next one asks anew for what the verdicts were on.
/// A replayed run has no transport. A call that its recording lacks shows where
/// the run differs.
///
/// Errors that no other call would escape halt the broker: a spent budget, a
/// replay that differs, a server that refuses the key, lacks the model or
/// answers nobody (ec::exhausted). It notifies the run through `when_halted`,
/// and the run stops. The call that failed and all later ones end with
/// ec::cancelled. This fails no job: workers give such jobs back.

#include "actors/job_names.hpp"
#include "actors/model_recording.hpp"
#include "llm/accounts/budget.hpp"
#include "llm/accounts/price.hpp"
#include "llm/model_port.hpp"
#include "llm/model_transport.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>

namespace brewery {

/// A model and its terms in the catalog.
struct model_terms {
  std::string name; ///< its name on its server
  token_price price;
  /// The number of tokens to reserve for a reply if the request sets no limit.
  std::uint32_t reply_tokens = 4'096;
};

struct model_broker_inputs {
  std::string owner; ///< the run: runs take turns at servers
  std::map<std::string, model_terms> models; ///< by the name that roles use
  budget limits;
  std::shared_ptr<model_recording> recording; ///< null: nothing is recorded
  std::shared_ptr<model_recording> replay;    ///< null: not a replay
  std::shared_ptr<model_transport> transport; ///< null in a replay
  /// Called once for each model whose server counts no tokens; may be empty.
  std::function<void(const std::string& model)> on_uncounted{};
};

/// For status lines and metrics.
struct model_broker_view {
  spending spent, reserved;
  spending limit;
  std::uint64_t sent = 0;        ///< calls that went to a server
  std::uint64_t from_record = 0; ///< answered from the recording
  std::uint64_t failed = 0;
  std::uint64_t under_way = 0;
  std::uint64_t waiting = 0; ///< calls that wait for reservations of the budget
};

class model_broker final : public model_port,
                           public std::enable_shared_from_this<model_broker> {
public:
  static std::shared_ptr<model_broker> make(model_broker_inputs inputs);

  using answer_handler = std::function<void(result<model_answer>)>;
  /// `done` is called once: before this returns, or later on another thread.
  void ask(model_call call, answer_handler done);

  /// Cancelling ends only the waiting. The call itself continues and is
  /// recorded, because it is paid for.
  result<model_answer> ask(const model_call& call,
                           const model_caller& by) override;

  /// An attempt of this job failed and another follows: it asks anew for the
  /// replies that a role rejected.
  void ask_anew(const job_id& job);

  /// `on_halt` is called once: when the broker halts, or at once if it has
  /// halted. In place of the one before, which is not under way any more when
  /// this returns; but it may call this itself.
  void when_halted(std::function<void()> on_halt);
  [[nodiscard]] std::optional<error> halted() const;
  /// Halts it for a reason of the run's: no call begins from now on.
  void stop(error why);

  /// From now on replies wait for disk space to be recorded, until `close`; a
  /// full disk is told. Else it halts the broker.
  void wait_for_space(std::function<void(const error&)> on_full);

  /// Ends new calls, and calls that no server has yet, with ec::cancelled.
  /// Waits for the others, whose replies are recorded.
  void close();
  /// The first half of it: waits for none. From any thread.
  void refuse_calls();
  /// For the end of the process, after `refuse_calls`: waits until then for the
  /// calls that are at their servers, and ends the others. They may be charged.
  void end_calls(std::chrono::steady_clock::time_point until);

  [[nodiscard]] model_broker_view view() const;
  /// Of all calls on record, by role and model; empty without a recording.
  [[nodiscard]] model_spend spend() const;

  /// For messages about jobs.
  void name_jobs(std::shared_ptr<const job_names> names);

private:
  struct request;
  explicit model_broker(model_broker_inputs inputs);

  void take_verdict(const model_call& call, answer_handler done);
  void reject(const job_id& job, const std::string& key, answer_handler done);
  void recall(std::uint64_t event, const std::string& key);
  void replay(const std::shared_ptr<request>& wanted);
  /// Reserves budget and sends the call, or queues or refuses it.
  void admit(const std::shared_ptr<request>& wanted);
  void send(const std::shared_ptr<request>& wanted);
  void sent(const std::shared_ptr<request>& wanted, transport_outcome outcome);
  void failed(const std::shared_ptr<request>& wanted, call_fault fault,
              error why);
  void keep(const std::shared_ptr<request>& wanted, model_answer answer,
            const token_usage& usage, picodollars cost);
  void note_uncounted(const request& wanted);
  void finish(const std::string& key, const result<model_answer>& answer);
  void halt(const std::shared_ptr<request>& wanted, error why);
  void tell_halt(error why);
  void lose(const std::shared_ptr<request>& wanted, error why);
  void record_stop(const request& wanted);
  [[nodiscard]] bool stopped_often(const request& wanted) const;
  void admit_waiting();
  void record_lost(const request& wanted, std::uint32_t attempts, bool timed);
  void record_refused(const request& wanted, const token_usage& usage,
                      picodollars cost, bool timed);
  std::string place_text(const model_call& call) const;

  model_broker_inputs in_;
  mutable std::mutex mutex_;
  std::condition_variable idle_;
  bool closed_ = false;
  bool ends_calls_ = false;
  reply_index known_;
  std::set<std::string> uncounted_; ///< models whose servers count no tokens
  std::map<call_place, std::string> asked_; ///< key of the call at each place
  std::map<std::string, std::shared_ptr<request>> under_way_;
  std::vector<std::shared_ptr<request>> waiting_; ///< in order of arrival
  model_broker_view counts_;
  std::optional<error> halted_;
  std::function<void()> on_halt_;
  std::thread::id teller_; ///< who is calling on_halt_; none: nobody is
  std::shared_ptr<const job_names> names_; ///< may be null
};

} // namespace brewery
