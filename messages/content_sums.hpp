#pragma once
/// Sums of the content of insights, by which a process tells those that it has
/// (messages/insight_store.hpp). They never leave it. Who knows the library's
/// hash can make an insight with the sum of another one: a worker that is let
/// in may as well invent what its rollouts taught. PURE.

#include <cstdint>
#include <functional>
#include <string_view>

namespace brewery {

using content_sum = std::uint64_t;

inline void mix(content_sum& sum, std::uint64_t more) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  sum = (sum ^ more) * odd;
  sum ^= sum >> 32U;
}

inline content_sum sum_of(std::string_view text) {
  return std::hash<std::string_view>{}(text);
}

/// A key of a map.
inline content_sum never_zero(content_sum sum) {
  return sum == 0 ? 1 : sum;
}

} // namespace brewery
