#include "kb/dense/dot_product.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace brewery {

namespace {

/// So many products of 16 and 8 bits, summed in eight lanes of 32 bits, cannot
/// overflow: 2048 / 8 * 2^15 * 2^7 = 2^30.
constexpr std::size_t lane_block = 2048;

std::int32_t plain_dot(std::span<const std::int8_t> a,
                       std::span<const std::int8_t> b) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

std::int64_t plain_dot(std::span<const std::int16_t> a,
                       std::span<const std::int8_t> b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += std::int64_t{a[i]} * b[i];
  return sum;
}

#if defined(__x86_64__)

constexpr std::size_t lanes = 16; ///< numbers of 16 bits in a register

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): loads take pointers
// to registers.
[[gnu::target("avx2")]] __m256i wide(const std::int8_t* from) {
  return _mm256_cvtepi8_epi16(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}

[[gnu::target("avx2")]] __m256i wide(const std::int16_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

[[gnu::target("avx2")]] std::int32_t sum_of(__m256i lanes_of_32) {
  auto half = _mm_add_epi32(_mm256_castsi256_si128(lanes_of_32),
                            _mm256_extracti128_si256(lanes_of_32, 1));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
  return _mm_cvtsi128_si32(half);
}

/// Of at most `lane_block` numbers.
template <class A>
[[gnu::target("avx2")]] __m256i fast_block(std::span<const A> a,
                                           std::span<const std::int8_t> b) {
  auto first = _mm256_setzero_si256(), second = first;
  for (std::size_t i = 0; i < a.size(); i += 2 * lanes) {
    first =
        _mm256_add_epi32(first, _mm256_madd_epi16(wide(&a[i]), wide(&b[i])));
    second = _mm256_add_epi32(
        second, _mm256_madd_epi16(wide(&a[i + lanes]), wide(&b[i + lanes])));
  }
  return _mm256_add_epi32(first, second);
}

[[gnu::target("avx2")]] std::int32_t fast_dot(std::span<const std::int8_t> a,
                                              std::span<const std::int8_t> b) {
  return sum_of(fast_block(a, b));
}

/// The lanes of a block fit 32 bits, their sum may not.
[[gnu::target("avx2")]] std::int64_t fast_dot(std::span<const std::int16_t> a,
                                              std::span<const std::int8_t> b) {
  std::int64_t sum = 0;
  for (std::size_t begin = 0; begin < a.size(); begin += lane_block) {
    const auto count = std::min(lane_block, a.size() - begin);
    const auto part =
        fast_block(a.subspan(begin, count), b.subspan(begin, count));
    const auto wider = _mm256_add_epi64(
        _mm256_cvtepi32_epi64(_mm256_castsi256_si128(part)),
        _mm256_cvtepi32_epi64(_mm256_extracti128_si256(part, 1)));
    const auto half = _mm_add_epi64(_mm256_castsi256_si128(wider),
                                    _mm256_extracti128_si256(wider, 1));
    sum += _mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1);
  }
  return sum;
}

#else

bool has_avx2() {
  return false;
}

std::int32_t fast_dot(std::span<const std::int8_t> a,
                      std::span<const std::int8_t> b) {
  return plain_dot(a, b);
}

std::int64_t fast_dot(std::span<const std::int16_t> a,
                      std::span<const std::int8_t> b) {
  return plain_dot(a, b);
}

#endif

} // namespace

std::int32_t dot(std::span<const std::int8_t> a,
                 std::span<const std::int8_t> b) {
  return has_avx2() ? fast_dot(a, b) : plain_dot(a, b);
}

std::int64_t dot(std::span<const std::int16_t> a,
                 std::span<const std::int8_t> b) {
  return has_avx2() ? fast_dot(a, b) : plain_dot(a, b);
}

} // namespace brewery
