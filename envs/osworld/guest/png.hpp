#pragma once
/// Checks that bytes are a whole PNG. The official in-guest server writes
/// screenshots to one shared file, so a reply with status 200 can be cut off.
/// Source: PNG specification (ISO/IEC 15948), sections 5.2 and 5.3. Pure.

#include "base/result.hpp"

#include <cstdint>
#include <string_view>

namespace brewery::osworld {

struct png_size {
  std::uint32_t width_px = 0;
  std::uint32_t height_px = 0;
};

/// The size, if every chunk up to IEND is there and its checksum is right.
/// Error ec::malformed says what is wrong and at which byte.
result<png_size> check_png(std::string_view bytes);

} // namespace brewery::osworld
