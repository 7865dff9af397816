#pragma once
/// Makes the calls for the model call broker (actors/model_broker.hpp).
/// Implemented by llm/client/model_client over HTTP, and by a script in tests.

#include "base/result.hpp"
#include "messages/model_msgs.hpp"

#include <functional>
#include <string>

namespace brewery {

/// The result of a call after all its attempts.
struct transport_outcome {
  result<model_answer> answer = error{ec::internal, "no outcome"};
  /// Failed attempts that a server may have processed. Each counts as paid.
  std::uint32_t lost_attempts = 0;
};

class model_transport {
public:
  virtual ~model_transport() = default;

  /// Makes a call to a model of the catalog for `owner`; calls of several
  /// owners take turns. Calls `done` exactly once, on any thread, even if the
  /// transport ends first. `done` must not block.
  virtual void send(const model_call& call, const std::string& owner,
                    std::function<void(transport_outcome)> done) = 0;
};

} // namespace brewery
