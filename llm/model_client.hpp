#pragma once
/// The client of the model servers: takes calls, keeps within each server's
/// limits, retries what may be retried, and tells what it does while it does
/// it. One for a process, shared by all searches; from any thread.
///
///   auto client = model_client::start({openai, local});
///   (*client)->ask({"openai", "search-7"}, call,
///                  [](result<model_answer> answer, const call_report&) {});
///
/// Callbacks run on a thread of the client's, or, for a call that cannot even
/// be written down, on the caller's before `ask` returns. They must be quick
/// and must not throw. They may ask and cancel, but not destroy the client.
/// Every call ends in exactly one `call_done`.

#include "llm/provider.hpp"
#include "llm/retry.hpp"
#include "messages/model_msgs.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

/// What a call took, whatever came of it.
struct call_report {
  std::uint32_t attempts = 0;     ///< requests that were begun
  std::uint32_t rate_limited = 0; ///< of them, refused as too many
  /// Of them, those without a reply that may be charged all the same: what was
  /// reserved for the call is spent once for each.
  std::uint32_t maybe_charged = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  std::chrono::milliseconds queued{0}; ///< for the server's limits
  std::chrono::milliseconds paused{0}; ///< between attempts
  std::chrono::milliseconds asked{0};  ///< in attempts
};

enum class call_stage : std::uint8_t {
  queued = 0,  ///< waits for its turn
  started = 1, ///< an attempt begins
  ended = 2,   ///< an attempt is over, see `result`
  pausing = 3, ///< waits for `wait` and is queued again
  finished = 4,
};

/// What an observer is told; references hold during the call only.
struct call_event {
  call_stage stage = call_stage::queued;
  std::uint64_t ticket = 0;
  const std::string& provider;
  const std::string& owner;
  std::uint32_t attempt = 0;         ///< from 1
  attempt_result result;             ///< of `ended`
  std::chrono::milliseconds took{0}; ///< of `ended`
  std::chrono::milliseconds wait{0}; ///< of `pausing`
  bool maybe_charged = false;        ///< of `ended`
  const call_report& so_far;
};

/// Must not call the client.
using call_observer = std::function<void(const call_event&)>;
using call_done = std::function<void(result<model_answer>, const call_report&)>;

struct call_options {
  std::string provider;   ///< its name
  std::string owner;      ///< who shares fairly with other owners: a search
  call_observer observer; ///< may be empty
};

/// For a status line and metrics.
struct provider_status {
  std::string name;
  std::uint32_t limit = 0;    ///< calls at once, as of now
  std::size_t out = 0;        ///< calls at the server
  std::size_t queued = 0;     ///< calls that wait for their turn
  std::size_t pausing = 0;    ///< calls between two attempts
  std::uint64_t attempts = 0; ///< since the start, as the rest
  std::uint64_t answered = 0;
  std::uint64_t rate_limited = 0;
  std::uint64_t maybe_charged = 0;
};

struct model_client_options {
  unsigned io_threads = 1; ///< one carries hundreds of calls
  /// Of the jitter; 0: a new one each time.
  std::uint64_t seed = 0;
  /// Told of every call, before the call's own observer.
  call_observer observer;
};

class model_client {
public:
  using ticket = std::uint64_t;

  /// ec::invalid_config for a provider that cannot be used, or two of a name.
  static result<std::unique_ptr<model_client>>
  start(std::vector<provider> providers, model_client_options options = {});

  /// Ends what is under way with ec::cancelled.
  ~model_client();
  model_client(const model_client&) = delete;
  model_client& operator=(const model_client&) = delete;

  /// Errors as of model_port, and ec::not_found for an unknown provider,
  /// model or address, ec::invalid_argument for a request that cannot be sent
  /// or that the server does not take, ec::invalid_config when it redirects.
  ticket ask(call_options options, const model_call& call, call_done done);

  /// It ends with ec::cancelled unless it has ended.
  void cancel(ticket call);

  /// Blocks the caller, who is not on a thread of the client's. Looks at
  /// `cancelled` (may be null) twenty times a second.
  result<model_answer> ask_and_wait(call_options options,
                                    const model_call& call,
                                    const std::atomic<bool>* cancelled,
                                    call_report* report = nullptr);

  [[nodiscard]] std::vector<provider_status> status() const;

private:
  class desk;
  explicit model_client(std::unique_ptr<desk> opened);
  std::unique_ptr<desk> desk_;
};

} // namespace brewery
