#pragma once
/// Asks a service until it answers. Requests change nothing in the service, so
/// a request can be repeated after a service broke and restarted.

#include "base/error.hpp"

namespace brewery::spreadsheet {

/// How many times the machinery around the code may break in one step.
inline constexpr int tries_max = 4;

template <class Ask>
auto ask_with_retry(Ask ask) {
  auto got = ask();
  for (int tried = 1; !got && tried < tries_max; ++tried) {
    if (got.error().code != ec::environment) break;
    got = ask();
  }
  return got;
}

/// A failure that persists here may not occur on another machine. So the job
/// fails and is retried elsewhere; it has no outcome.
inline error retryable(error why) {
  if (why.code == ec::environment || why.code == ec::disk_full)
    why.code = ec::exhausted;
  return why;
}

} // namespace brewery::spreadsheet
