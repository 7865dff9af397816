#pragma once
/// For code of ours that calls libraries which throw: what one piece of work
/// throws is the error of that work, and ends no thread and no process.

#include "base/printable.hpp"
#include "base/result.hpp"

#include <exception>

namespace brewery {

/// `f` returns a result. Error ec::internal: it threw.
template <class F>
auto guarded(F f) -> decltype(f()) {
  try {
    return f();
  } catch (const std::exception& thrown) {
    return error{ec::internal, single_line(thrown.what())};
  }
}

} // namespace brewery
