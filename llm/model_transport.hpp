#pragma once
/// Makes the calls for the model call broker (actors/model_broker.hpp).
/// Implemented by llm/client/model_client over HTTP, and by a script in tests.

#include "base/result.hpp"
#include "messages/model_msgs.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace brewery {

/// Whom a call that failed for good speaks against.
enum class call_fault : std::uint8_t {
  call,    ///< itself: too long, filtered, or it alone fails at its model
  unclear, ///< the server failed, and answered no other call meanwhile
  server,  ///< the server: no call of this model would fare better
};

/// The result of a call after all its attempts.
struct transport_outcome {
  result<model_answer> answer = error{ec::internal, "no outcome"};
  /// Failed attempts that a server may have processed. Each counts as paid.
  std::uint32_t lost_attempts = 0;
  call_fault fault = call_fault::call; ///< of an error
  std::chrono::milliseconds asked{0};  ///< in all attempts
  /// Of an error: what the server counted for replies that are refusals or
  /// cannot be read. It is paid, and no lost attempt. All 0: there is none.
  token_usage refused{};
  /// An error: `pays_again` refused another attempt.
  bool unpaid = false;
};

class model_transport {
public:
  virtual ~model_transport() = default;

  /// Makes a call to a model of the catalog for `owner`; calls of several
  /// owners take turns. Calls `done` exactly once, on any thread, even if the
  /// transport ends first. `done` must not block. `pays_again` is asked, on any
  /// thread, before another attempt follows one that may be charged; true: the
  /// cost of one more is reserved.
  virtual void send(const model_call& call, const std::string& owner,
                    std::function<bool()> pays_again,
                    std::function<void(transport_outcome)> done) = 0;

  /// The calls of `owner` are not tried again. Those that wait end at once with
  /// ec::cancelled, those at a server after their attempt.
  virtual void stop_retries(const std::string& /*owner*/) {}

  /// All calls of `owner` end now with ec::cancelled; those at a server count
  /// as lost attempts.
  virtual void end_calls(const std::string& /*owner*/) {}
};

} // namespace brewery
