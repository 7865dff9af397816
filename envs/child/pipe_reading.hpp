#pragma once
/// How the pipes of a child are read, whichever way it is talked to.

#include <chrono>
#include <cstddef>

namespace brewery::child {

/// Of one read.
inline constexpr std::size_t piece_bytes = 65536;
/// How often it is looked whether it has ended: what it forked may hold its
/// output open.
inline constexpr std::chrono::milliseconds look_pause{250};
/// For its last words and its end once it has closed its output.
inline constexpr std::chrono::milliseconds end_patience{200};

} // namespace brewery::child
