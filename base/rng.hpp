#pragma once
/// Counter-based random numbers: the n-th draw of a stream is a function of
/// (seed, stream, n). So results do not depend on the number of threads or on
/// the order of work. Not for cryptography.
///
///   rng draw{rng_key(seed, "integrate", tree, node)};
///   if (draw.uniform() < 0.7) ...
///
/// Mixing function: SplitMix64 (Steele, Lea, Flood 2014), applied to a Weyl
/// sequence.

#include "base/hash.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace brewery {

constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  x ^= x >> 31;
  return x;
}

__extension__ using uint128 = unsigned __int128;

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15ull;

/// Combines names and numbers into one stream key.
template <class... Parts>
std::uint64_t rng_key(std::uint64_t seed, const Parts&... parts) {
  std::uint64_t key = mix64(seed + golden_gamma);
  [[maybe_unused]] const auto fold = [&key](const auto& part) {
    if constexpr (std::is_convertible_v<decltype(part), std::string_view>)
      key = mix64(key ^ hash64(std::string_view{part}));
    else
      key = mix64(key + golden_gamma * (static_cast<std::uint64_t>(part) + 1));
  };
  (fold(parts), ...);
  return key;
}

class rng {
public:
  explicit rng(std::uint64_t key) : key_(key) {}

  std::uint64_t next() { return mix64(key_ + golden_gamma * ++counter_); }

  /// In [0, 1), 53 random bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// In [0, bound); bound must be positive.
  std::uint64_t below(std::uint64_t bound) {
    // Multiply-shift; the bias is below 2^-32 for every bound used here.
    return static_cast<std::uint64_t>((static_cast<uint128>(next()) * bound)
                                      >> 64);
  }

  /// Fisher-Yates shuffle.
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[below(i)]);
  }

private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

} // namespace brewery
