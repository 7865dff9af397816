#pragma once
/// The steady clock in the time unit of the cluster's core, for processes that
/// run workers.

#include "cluster/options.hpp"

#include <chrono>

namespace brewery {

inline microseconds steady_now() {
  return std::chrono::duration_cast<microseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
}

} // namespace brewery
