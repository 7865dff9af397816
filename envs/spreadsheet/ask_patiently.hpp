#pragma once
/// Asks a service until it answers: what is asked changes nothing in it, so a
/// service that broke is asked again when it is back.

#include "base/error.hpp"

namespace brewery::spreadsheet {

/// How often something around the code may break in one step.
inline constexpr int tries_max = 4;

template <class Ask>
auto ask_patiently(Ask ask) {
  auto got = ask();
  for (int tried = 1; !got && tried < tries_max; ++tried) {
    if (got.error().code != ec::environment) break;
    got = ask();
  }
  return got;
}

/// What stayed broken here may work on another machine: the job fails and is
/// tried elsewhere, it has no outcome.
inline error elsewhere(error why) {
  if (why.code == ec::environment) why.code = ec::exhausted;
  return why;
}

} // namespace brewery::spreadsheet
