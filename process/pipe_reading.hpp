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

/// Reads of each output once the child has ended: enough for what it left in
/// its pipes, and no end of what its own children write there.
inline constexpr int reads_after_end = 4;

} // namespace brewery::child
