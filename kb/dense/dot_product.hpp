#pragma once
/// Dot products of whole numbers: exact, so the same on every machine, with
/// AVX2 where there is one. Operands are of one length, a multiple of
/// `code_block`. Pure.

#include <cstddef>
#include <cstdint>
#include <span>

namespace brewery {

/// Codes are filled up with zeros to a multiple of this.
inline constexpr std::size_t code_block = 32;

/// Numbers from -127 to 127, at most 65,536 of them.
std::int32_t dot(std::span<const std::int8_t> a,
                 std::span<const std::int8_t> b);

/// The first ones any.
std::int64_t dot(std::span<const std::int16_t> a,
                 std::span<const std::int8_t> b);

} // namespace brewery
