#pragma once
/// The interface through which roles ask language models. An implementation
/// handles, in order: the recording of the run (a call that was answered gets
/// the same answer again), the budget, the server's limits, and the client. In
/// a worker process, it forwards calls to the coordinator, which has all of
/// these and the API keys.
///
/// Shared by all threads of a process. A call blocks its thread.

#include "base/result.hpp"
#include "messages/model_msgs.hpp"

#include <atomic>

namespace brewery {

class model_port {
public:
  virtual ~model_port() = default;

  /// Errors: ec::over_budget, unauthorized, context_too_long, refused_content,
  /// rate_limited, timeout, malformed, cancelled (after `cancelled` is set;
  /// null: cannot be cancelled), io, and ec::not_found if a replayed recording
  /// has no such call. All errors are final: the port has retried.
  virtual result<model_answer> ask(const model_call& call,
                                   const std::atomic<bool>* cancelled) = 0;
};

} // namespace brewery
