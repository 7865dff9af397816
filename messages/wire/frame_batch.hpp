#pragma once
/// Several frames (frame.hpp) for one receiver as one, so that it is woken once
/// for all of them: "BW", the frame format, `batch_kind`, then each frame after
/// its length in four bytes, the highest first. A batch in a batch is refused.
/// For peers of `protocol_with_batches`.

#include "messages/wire/frame.hpp"

#include <memory>

namespace brewery::wire {

/// A kind that no message ever has.
inline constexpr std::uint8_t batch_kind = 255;
inline constexpr std::size_t batch_frames_max = 256;
inline constexpr std::size_t batch_bytes_max = std::size_t{1} << 20;
/// A larger frame goes alone: to copy it would cost more than it saves.
inline constexpr std::size_t batched_frame_bytes_max = std::size_t{64} << 10;

using shared_frame = std::shared_ptr<const std::string>;

/// The same frames in the same order, neighbours in batches.
std::vector<shared_frame> batched(std::vector<shared_frame> frames);

/// The frames of a batch, or the one frame that `bytes` is. They point into
/// `bytes` and are checked by `unframe` only. Error ec::malformed: a length is
/// wrong, or there are more than `batch_frames_max`.
result<std::vector<std::string_view>> frames_in(std::string_view bytes);

} // namespace brewery::wire
