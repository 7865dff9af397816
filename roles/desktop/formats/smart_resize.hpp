#pragma once
/// The grid in which models of the Qwen2.5-VL family give coordinates: the
/// image's size as their preprocessor rounds it (`smart_resize` of
/// qwen_vl_utils). UI-TARS 1.5 and GTA1 answer in its pixels. Pure.

#include "base/result.hpp"

#include <cstdint>

namespace brewery::desktop {

struct grid {
  std::uint32_t width_px = 0, height_px = 0;
  bool operator==(const grid&) const = default;
};

struct resize_limits {
  std::uint32_t factor_px = 28; ///< both sides become multiples of it
  std::uint64_t min_pixels = std::uint64_t{100} * 28 * 28;
  std::uint64_t max_pixels = std::uint64_t{16384} * 28 * 28;
};

/// Error ec::invalid_argument: an image without area, or whose sides differ by
/// a factor above 200, which the preprocessor refuses.
result<grid> smart_resize(grid image, const resize_limits& limits = {});

struct point {
  double x = 0, y = 0;
  bool operator==(const point&) const = default;
};

/// A point of the grid on the screen, in whole pixels, kept on the screen.
point on_screen(point at, grid from, grid screen);

} // namespace brewery::desktop
