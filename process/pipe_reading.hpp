#pragma once
/// Constants for reading the pipes of a child, for all kinds of channels.

#include <chrono>
#include <cstddef>

namespace brewery::child {

/// Size of one read.
inline constexpr std::size_t piece_bytes = 65536;
/// The interval of checks whether the child has ended: its own children may
/// hold its output open.
inline constexpr std::chrono::milliseconds poll_interval{250};
/// For its last lines and its exit after it has closed its output.
inline constexpr std::chrono::milliseconds end_patience{200};

} // namespace brewery::child
