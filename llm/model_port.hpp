#pragma once
/// Where roles ask language models. Behind it is, in order: the recording of
/// the run (a call that was answered once is answered the same again), the
/// budget, the limits of the server, the client. In a worker process it is a
/// line to the coordinator, which has all of these and the keys.
///
/// Shared by all threads of a process; a call blocks its thread.

#include "base/result.hpp"
#include "messages/model_msgs.hpp"

#include <atomic>

namespace brewery {

class model_port {
public:
  virtual ~model_port() = default;

  /// Errors, all final (retrying is done behind the port): ec::over_budget,
  /// unauthorized, context_too_long, refused_content, rate_limited, timeout,
  /// malformed, cancelled (once `cancelled` is set; null: cannot be), io, and
  /// ec::not_found when a replayed recording has no such call.
  virtual result<model_answer> ask(const model_call& call,
                                   const std::atomic<bool>* cancelled) = 0;
};

} // namespace brewery
