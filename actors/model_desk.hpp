#pragma once
/// Where all model calls of one run are handled, those of remote workers too.
/// A call goes through: the recording (a reply that is there is not bought
/// again), the calls under way (two that ask the same wait for one reply), the
/// budget, the transport; its reply is on disk before anyone sees it.
///
/// One per run, shared; everything may be called from any thread. A replayed
/// run has no transport: what its recording lacks names the difference.
///
/// What no other attempt could mend halts the desk: a spent budget, a refused
/// key, a replay that differs. The run is told by `when_halted`, and stops; the
/// call in question and those after it are let go as ec::cancelled, which fails
/// no job (workers give it back).

#include "actors/model_recording.hpp"
#include "llm/budget.hpp"
#include "llm/model_port.hpp"
#include "llm/model_transport.hpp"

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace brewery {

/// A model as the catalog has it.
struct model_terms {
  std::string name; ///< as its server calls it
  token_price price;
  /// Reserved for a reply whose request sets no limit.
  std::uint32_t reply_tokens = 4'096;
};

struct model_desk_inputs {
  std::string owner;                         ///< the run: searches take turns
  std::map<std::string, model_terms> models; ///< by the name roles use
  budget funds;
  std::shared_ptr<model_recording> recording; ///< null: nothing is kept
  std::shared_ptr<model_recording> replay;    ///< null: not a replay
  std::shared_ptr<model_transport> transport; ///< null in a replay
};

/// For status lines and metrics.
struct model_desk_view {
  spending spent, reserved;
  spending limit;
  std::uint64_t sent = 0;        ///< calls that went to a server
  std::uint64_t from_record = 0; ///< answered without one
  std::uint64_t failed = 0;
  std::uint64_t under_way = 0;
  std::uint64_t waiting = 0; ///< for the budget's reservations
};

class model_desk final : public model_port,
                         public std::enable_shared_from_this<model_desk> {
public:
  static std::shared_ptr<model_desk> make(model_desk_inputs inputs);

  using answer_handler = std::function<void(result<model_answer>)>;
  /// `done` is called once: at once, or later on another thread.
  void ask(model_call call, answer_handler done);

  /// Cancelling ends the waiting; the call itself goes on and is recorded, for
  /// it is paid.
  result<model_answer> ask(const model_call& call,
                           const std::atomic<bool>* cancelled) override;

  /// `told` is called once, when the desk halts or at once if it has.
  void when_halted(std::function<void()> told);
  [[nodiscard]] std::optional<error> halted() const;

  /// Calls that no server has, and new ones, are let go as ec::cancelled; waits
  /// for the others, whose replies are kept.
  void close();

  [[nodiscard]] model_desk_view view() const;

private:
  struct request;
  explicit model_desk(model_desk_inputs inputs);

  void recall(std::uint64_t event, const std::string& key);
  void replay(const std::shared_ptr<request>& wanted);
  /// Reserves and sends, or queues, or refuses.
  void admit(const std::shared_ptr<request>& wanted);
  void send(const std::shared_ptr<request>& wanted);
  void sent(const std::shared_ptr<request>& wanted, transport_outcome outcome);
  void keep(const std::shared_ptr<request>& wanted, model_answer answer,
            const token_usage& usage);
  void finish(const std::string& key, const result<model_answer>& answer);
  void halt(const std::shared_ptr<request>& wanted, error why);
  void admit_waiting();
  void record_lost(const request& wanted, std::uint32_t attempts);

  model_desk_inputs in_;
  mutable std::mutex mutex_;
  std::condition_variable idle_;
  bool closed_ = false;
  std::map<std::string, std::uint64_t> known_; ///< key -> event
  std::map<std::string, std::shared_ptr<request>> under_way_;
  std::vector<std::shared_ptr<request>> waiting_; ///< in order of arrival
  model_desk_view counts_;
  std::optional<error> halted_;
  std::function<void()> told_;
};

} // namespace brewery
