#pragma once
/// Compressed bytes, the same in messages and in the event log: one zstd frame
/// that says how long its content is. For encoded structs only: their first
/// byte is that of a msgpack map, which no frame of zstd begins with. So the
/// bytes themselves tell whether they are compressed.

#include "base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace brewery {

/// Shorter bytes shrink too little to be worth a call.
inline constexpr std::size_t compress_from_bytes = 512;

/// A frame, or `bytes` unchanged if a frame would not be shorter.
std::string compress(std::string bytes);

/// How many bytes a byte of a frame from a peer may stand for. Results of
/// telecom rollouts shrink to a seventh.
inline constexpr std::size_t sent_ratio_max = 32;

/// For a peer: bytes that would shrink further than it allows stay as they are.
std::string compress_to_send(std::string bytes);

/// Whether the bytes begin as a frame does.
bool is_compressed(std::string_view bytes);

/// The length that a frame gives for its content; 0: it gives none.
std::size_t content_size(std::string_view frame);

/// The content of exactly one frame, which is longer than the frame. Refuses,
/// before it takes any memory, content beyond `bytes_max`. Error ec::malformed.
result<std::string> decompress(std::string_view frame, std::size_t bytes_max);

/// The same in memory that this thread keeps, until its next call: for what is
/// decoded at once and then forgotten, such as the result of each rollout.
result<std::string_view> decompress_for_now(std::string_view frame,
                                            std::size_t bytes_max);

} // namespace brewery
