#pragma once
/// The baseline: the rate of ZeroMQ alone with frames of these sizes. One
/// ROUTER in this process; a DEALER in each of `workers` processes answers
/// every request. Each has `window` requests under way. No protocol, no
/// encoding, no storage.

#include <cstddef>
#include <string>

namespace brewery::bench {

struct echo_sizes {
  std::size_t request_bytes = 0;
  std::size_t reply_bytes = 0;
};

/// Returns the answered requests per second.
double echo_rate(std::size_t workers, std::size_t window, echo_sizes sizes,
                 double seconds);

/// The main function of a child of `echo_rate`; never returns.
[[noreturn]] void echo_worker(const std::string& endpoint,
                              std::size_t reply_bytes);

} // namespace brewery::bench
