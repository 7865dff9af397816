#pragma once
/// The client of the model servers. It takes calls, keeps within each server's
/// limits, retries what may be retried, and reports every step to observers.
/// One per process, shared by all searches. Thread-safe.
///
///   auto client = model_client::start({openai, local});
///   (*client)->ask({"openai", "search-7"}, call,
///                  [](result<model_answer> answer, const call_report&) {});
///
/// Callbacks run on a thread of the client. Exception: if a call cannot be
/// encoded, they run on the caller's thread before `ask` returns. They must be
/// fast and must not throw. They may ask, cancel, and destroy the client, which
/// then ends on a thread of its own; no thread may be in `ask` then. Every call
/// ends with exactly one `call_done`.

#include "llm/client/provider.hpp"
#include "llm/client/retry.hpp"
#include "messages/model_msgs.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

/// The attempts and times of a call, successful or not.
struct call_report {
  std::uint32_t attempts = 0;     ///< requests that were started
  std::uint32_t rate_limited = 0; ///< of these, refused with a rate limit
  /// Of these, failed ones that may be charged. For each, the call's
  /// reservation counts as spent.
  std::uint32_t maybe_charged = 0;
  /// Of a call without an answer: what the server counted for replies that are
  /// none; all 0: nothing.
  token_usage refused{};
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  std::chrono::milliseconds queued{0}; ///< waiting for the server's limits
  std::chrono::milliseconds paused{0}; ///< waiting between attempts
  std::chrono::milliseconds asked{0};  ///< in attempts
  /// `pays_again` refused another attempt; no other reason ended it.
  bool unpaid = false;
  // Of a call that failed for good:
  call_fault fault = call_fault::call;
  error last{ec::ok, {}}; ///< of its last attempt
  std::string given_up{}; ///< why it was not tried again; may be empty
};

enum class call_stage : std::uint8_t {
  queued = 0,  ///< waits for its turn
  started = 1, ///< an attempt starts
  ended = 2,   ///< an attempt ended, see `result`
  pausing = 3, ///< waits for `wait`, then is queued again
  finished = 4,
};

/// An event for an observer. References are valid only during the call.
struct call_event {
  call_stage stage = call_stage::queued;
  std::uint64_t ticket = 0;
  const std::string& provider;
  const std::string& owner;
  std::uint32_t attempt = 0;         ///< from 1
  attempt_result result;             ///< set if `ended`
  std::chrono::milliseconds took{0}; ///< set if `ended`
  std::chrono::milliseconds wait{0}; ///< set if `pausing`
  bool maybe_charged = false;        ///< set if `ended`
  const call_report& so_far;
  /// Set if `ended`: how the server is asked differently from now on.
  std::string note;
};

/// An observer must not call the client.
using call_observer = std::function<void(const call_event&)>;
using call_done = std::function<void(result<model_answer>, const call_report&)>;

struct call_options {
  std::string provider;   ///< its name
  std::string owner;      ///< the search; owners share a server fairly
  call_observer observer; ///< may be empty
  /// Asked before another attempt follows one that may be charged, or was;
  /// empty: yes.
  std::function<bool()> pays_again{};
};

/// The state of one server, for status lines and metrics.
struct provider_status {
  std::string name;
  std::uint32_t limit = 0;    ///< current limit of concurrent calls
  std::size_t out = 0;        ///< calls at the server
  std::size_t queued = 0;     ///< calls that wait for their turn
  std::size_t pausing = 0;    ///< calls between two attempts
  std::uint64_t attempts = 0; ///< since the start, like the counts below
  std::uint64_t answered = 0;
  std::uint64_t rate_limited = 0;
  std::uint64_t maybe_charged = 0;
};

struct model_client_options {
  unsigned io_threads = 1; ///< one handles hundreds of calls
  /// Seeds the jitter. 0: a new seed at each start.
  std::uint64_t seed = 0;
  /// Receives the events of all calls, before the call's own observer does.
  call_observer observer;
};

class model_client {
public:
  using ticket = std::uint64_t;

  /// Error ec::invalid_config: a provider cannot be used, or two have the same
  /// name.
  static result<std::unique_ptr<model_client>>
  start(std::vector<provider> providers, model_client_options options = {});

  /// Ends the calls under way with ec::cancelled.
  ~model_client();
  model_client(const model_client&) = delete;
  model_client& operator=(const model_client&) = delete;

  /// Starts a call. Errors: those of model_port; ec::not_found for an unknown
  /// provider, model or address; ec::invalid_argument for a request that cannot
  /// be encoded or that the server rejects; ec::invalid_config if the server
  /// redirects.
  ticket ask(call_options options, const model_call& call, call_done done);

  /// Ends the call with ec::cancelled, unless it has ended.
  void cancel(ticket call);

  /// The calls of an owner are not tried again. Those that are not at their
  /// server end with ec::cancelled, the others after their attempt.
  void stop_retries(const std::string& owner);

  /// All calls of an owner end now, also those at their server, which may
  /// charge them.
  void end_calls(const std::string& owner);

  [[nodiscard]] std::vector<provider_status> status() const;

private:
  class scheduler;
  explicit model_client(std::unique_ptr<scheduler> opened);
  std::unique_ptr<scheduler> scheduler_;
};

} // namespace brewery
