#include "roles/desktop/formats/smart_resize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery::desktop {

namespace {

constexpr double max_ratio = 200;

double kept(double value, std::uint32_t length) {
  if (!std::isfinite(value)) return 0;
  return std::clamp(std::round(value), 0.0, static_cast<double>(length) - 1);
}

} // namespace

result<grid> smart_resize(grid image, const resize_limits& limits) {
  const double width = image.width_px, height = image.height_px;
  if (width == 0 || height == 0
      || std::max(width, height) > max_ratio * std::min(width, height))
    return error{ec::invalid_argument,
                 fmt::format("a screenshot of {} x {} px: models take images "
                             "whose sides differ by a factor up to {}",
                             image.width_px, image.height_px, max_ratio)};
  const double factor = limits.factor_px;
  // Halves go to the even number, as in Python.
  const auto nearest = [&](double side) {
    return std::max(factor, std::nearbyint(side / factor) * factor);
  };
  double across = nearest(width), down = nearest(height);
  const double area = across * down;
  if (area > static_cast<double>(limits.max_pixels)) {
    const double by =
        std::sqrt(width * height / static_cast<double>(limits.max_pixels));
    across = std::max(factor, std::floor(width / by / factor) * factor);
    down = std::max(factor, std::floor(height / by / factor) * factor);
  } else if (area < static_cast<double>(limits.min_pixels)) {
    const double by =
        std::sqrt(static_cast<double>(limits.min_pixels) / (width * height));
    across = std::ceil(width * by / factor) * factor;
    down = std::ceil(height * by / factor) * factor;
  }
  return grid{static_cast<std::uint32_t>(across),
              static_cast<std::uint32_t>(down)};
}

point on_screen(point at, grid from, grid screen) {
  return {kept(at.x / from.width_px * screen.width_px, screen.width_px),
          kept(at.y / from.height_px * screen.height_px, screen.height_px)};
}

} // namespace brewery::desktop
