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
#include <utility>

namespace brewery {

/// Who makes a call.
struct model_caller {
  // Implicit, as a flag alone says enough where there is one run.
  model_caller( // NOLINT(google-explicit-constructor)
      const std::atomic<bool>* stops = nullptr, run_id of = {})
      : cancelled(stops), run(std::move(of)) {}

  const std::atomic<bool>* cancelled; ///< null: cannot be cancelled
  /// Whose job it is, in a process that plays several runs: equal jobs of two
  /// runs have one id, and ask for replies of their own.
  run_id run;
};

class model_port {
public:
  virtual ~model_port() = default;

  /// Errors: ec::over_budget, unauthorized, context_too_long, refused_content,
  /// rate_limited, timeout, malformed, cancelled (after the caller is), io,
  /// and ec::not_found if a replayed recording
  /// has no such call. All errors are final: the port has retried.
  virtual result<model_answer> ask(const model_call& call,
                                   const model_caller& by) = 0;
};

} // namespace brewery
