#pragma once
/// Sums of the content of insights, by which a process tells those that it has
/// (messages/insight_store.hpp) without looking at them again. They depend on a
/// secret of the process and never leave it, so nobody outside can make a text
/// with the sum of another one: a worker that is let in may invent what its own
/// rollouts taught, but changes nothing of what others did. PURE but for that.

#include <cstdint>
#include <string_view>

namespace brewery {

using content_sum = std::uint64_t;

inline void mix(content_sum& sum, std::uint64_t more) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  sum = (sum ^ more) * odd;
  sum ^= sum >> 32U;
}

/// A key of a map.
inline content_sum never_zero(content_sum sum) {
  return sum == 0 ? 1 : sum;
}

/// Never 0.
content_sum sum_of(std::string_view text);

} // namespace brewery
