#pragma once
/// Scales, ticks and the frame of a chart. All charts have the same width in
/// units of their own and are scaled to the page. PURE.

#include <span>
#include <string>
#include <vector>

namespace brewery::sweep_view {

constexpr double chart_width = 480;

/// A range of values; never empty, whatever is put in.
struct value_range {
  double low = 0, high = 1;
};

/// Smallest range that holds the finite values, `low` < `high`.
value_range range_of(std::span<const double> values);

/// With `part` of its length added at both ends.
value_range widened(value_range range, double part);

/// At most about `count` round numbers within the range, ascending.
std::vector<double> ticks_in(value_range range, int count);

/// What the numbers on an axis are.
enum class axis_unit { share, count, money };

/// A tick as text: "55 %", "12k", "$0.50".
std::string tick_text(double tick, double step, axis_unit unit);

/// From a value to a coordinate; `from` and `to` may be in either order.
struct axis_scale {
  value_range range;
  double from = 0, to = 1;

  [[nodiscard]] double at(double value) const;
};

/// Grid lines, ticks and names of both axes.
std::string frame_markup(const axis_scale& x, axis_unit x_unit,
                         const std::string& x_name, const axis_scale& y,
                         axis_unit y_unit, const std::string& y_name);

/// `<svg>` around a chart with its name and description for who does not see
/// it. `id` is unique on the page; all texts are escaped here.
std::string svg_markup(const std::string& id, double height,
                       const std::string& title, const std::string& description,
                       const std::string& content);

/// Series differ in colour, marker and dashes; there are `series_styles` of
/// them.
constexpr std::size_t series_styles = 8;

/// A marker of the series around a place, with a name that shows on hovering.
std::string marker_markup(std::size_t series, double x, double y, double radius,
                          const std::string& name = "");

/// A line through places (x, y).
std::string path_markup(std::size_t series,
                        std::span<const std::pair<double, double>> places);

} // namespace brewery::sweep_view
