#pragma once
/// The baseline: what ZeroMQ alone does with frames of these sizes. One ROUTER
/// in this process, a DEALER in each of `workers` processes that answers every
/// request with a reply; each has `window` requests under way. No protocol, no
/// encoding, nothing kept.

#include <cstddef>
#include <string>

namespace brewery::bench {

struct echo_sizes {
  std::size_t request_bytes = 0;
  std::size_t reply_bytes = 0;
};

/// Requests answered per second.
double echo_rate(std::size_t workers, std::size_t window, echo_sizes sizes,
                 double seconds);

/// What a child of `echo_rate` runs; never returns.
[[noreturn]] void echo_worker(const std::string& endpoint,
                              std::size_t reply_bytes);

} // namespace brewery::bench
