#pragma once
/// What the desk (actors/model_desk.hpp) needs of whoever makes the calls:
/// llm/model_client over HTTP, a script in tests.

#include "base/result.hpp"
#include "messages/model_msgs.hpp"

#include <functional>
#include <string>

namespace brewery {

/// What became of a call after all its attempts.
struct transport_outcome {
  result<model_answer> answer = error{ec::internal, "no outcome"};
  /// Attempts that failed although a server may have worked on them: each is to
  /// be taken for paid.
  std::uint32_t lost_attempts = 0;
};

class model_transport {
public:
  virtual ~model_transport() = default;

  /// Makes the call, whose model is an entry of the catalog, for `owner` (calls
  /// of several owners take turns). `done` is called once, on any thread, and
  /// may not block; also when the transport ends first.
  virtual void send(const model_call& call, const std::string& owner,
                    std::function<void(transport_outcome)> done) = 0;
};

} // namespace brewery
