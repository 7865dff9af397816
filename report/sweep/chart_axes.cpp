#include "report/sweep/chart_axes.hpp"

#include "report/sweep/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery::sweep_view {

namespace {

/// 1, 2 or 5 times a power of ten.
double round_step(double length, int count) {
  const double rough = length / std::max(1, count);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double digit = rough / power;
  return power * (digit > 5 ? 10 : digit > 2 ? 5 : digit > 1 ? 2 : 1);
}

double step_of(std::span<const double> ticks) {
  return ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
}

int decimals_of(double step) {
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0,
                    6);
}

/// One of eight shapes within a radius.
std::string shape_markup(std::size_t series, double x, double y, double r) {
  const auto polygon =
      [&](std::initializer_list<std::pair<double, double>> corners) {
        std::string points;
        for (const auto& [dx, dy] : corners)
          points += coordinate(x + r * dx) + ',' + coordinate(y + r * dy) + ' ';
        points.pop_back();
        return fmt::format("<polygon points=\"{}\"", points);
      };
  switch (series) {
  case 0:
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", coordinate(x),
                       coordinate(y), coordinate(r));
  case 1:
    return polygon({{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}});
  case 2:
    return polygon({{0, -1.2}, {1.1, .8}, {-1.1, .8}});
  case 3:
    return polygon({{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}});
  case 4:
    return polygon({{0, 1.2}, {1.1, -.8}, {-1.1, -.8}});
  case 5:
    return polygon({{-.4, -1.2},
                    {.4, -1.2},
                    {.4, -.4},
                    {1.2, -.4},
                    {1.2, .4},
                    {.4, .4},
                    {.4, 1.2},
                    {-.4, 1.2},
                    {-.4, .4},
                    {-1.2, .4},
                    {-1.2, -.4},
                    {-.4, -.4}});
  case 6:
    return polygon({{0, -1.2}, {1.15, -.3}, {.7, 1}, {-.7, 1}, {-1.15, -.3}});
  default:
    return polygon({{-1.2, -.5}, {1.2, -.5}, {1.2, .5}, {-1.2, .5}});
  }
}

} // namespace

value_range range_of(std::span<const double> values) {
  bool any = false;
  value_range out;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    out.low = any ? std::min(out.low, value) : value;
    out.high = any ? std::max(out.high, value) : value;
    any = true;
  }
  if (!any) return {};
  // Also where the values are so near that no tick would lie between.
  const double least = std::max(1e-6, std::abs(out.high) * 1e-6);
  if (out.high - out.low < least) {
    const double half = out.high == 0 ? 0.5 : std::abs(out.high) * 0.05;
    out = {out.low - half, out.high + half};
  }
  return out;
}

value_range widened(value_range range, double part) {
  const double more = part * (range.high - range.low);
  return {range.low - more, range.high + more};
}

std::vector<double> ticks_in(value_range range, int count) {
  const double step = round_step(range.high - range.low, count);
  std::vector<double> out;
  const double first = std::ceil(range.low / step - 1e-9);
  const double last = std::floor(range.high / step + 1e-9);
  for (double i = first; i <= last && out.size() < 50; ++i)
    out.push_back(i * step);
  return out;
}

std::string tick_text(double tick, double step, axis_unit unit) {
  if (std::abs(tick) < step / 1e6) tick = 0; // no "-0"
  switch (unit) {
  case axis_unit::share:
    return fmt::format("{:.{}f} %", 100 * tick, decimals_of(100 * step));
  case axis_unit::money:
    return fmt::format("${:.{}f}", tick,
                       step < 1 ? std::max(2, decimals_of(step)) : 0);
  case axis_unit::count:
    break;
  }
  if (step >= 1e6) return fmt::format("{:g}M", tick / 1e6);
  if (step >= 1e3) return fmt::format("{:g}k", tick / 1e3);
  return fmt::format("{:.{}f}", tick, decimals_of(step));
}

double axis_scale::at(double value) const {
  return from + (value - range.low) / (range.high - range.low) * (to - from);
}

std::string frame_markup(const axis_scale& x, axis_unit x_unit,
                         const std::string& x_name, const axis_scale& y,
                         axis_unit y_unit, const std::string& y_name) {
  std::string out;
  const auto across = ticks_in(x.range, 5);
  const auto up = ticks_in(y.range, 5);
  for (const double tick : up) {
    out += chart_line(x.from, y.at(tick), x.to, y.at(tick), "grid");
    out += chart_text(x.from - 6, y.at(tick) + 5, "end",
                      tick_text(tick, step_of(up), y_unit), "tick");
  }
  for (const double tick : across) {
    out += chart_line(x.at(tick), y.from, x.at(tick), y.to, "grid");
    out += chart_text(x.at(tick), y.from + 19, "middle",
                      tick_text(tick, step_of(across), x_unit), "tick");
  }
  out += chart_line(x.from, y.from, x.to, y.from, "axis");
  out += chart_text(x.to, y.from + 40, "end", x_name, "name");
  return out + chart_text(6, y.to - 12, "start", y_name, "name");
}

std::string svg_markup(const std::string& id, double height,
                       const std::string& title, const std::string& description,
                       const std::string& content) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
      "role=\"img\" aria-labelledby=\"{}-t {}-d\"><title id=\"{}-t\">{}</title>"
      "<desc id=\"{}-d\">{}</desc>{}</svg>",
      coordinate(chart_width), coordinate(height), id, id, id, escaped(title),
      id, escaped(description), content);
}

std::string marker_markup(std::size_t series, double x, double y, double radius,
                          const std::string& name) {
  const auto shape = shape_markup(series % series_styles, x, y, radius);
  const auto css = fmt::format(" class=\"m s{}\"", series % series_styles);
  if (name.empty()) return shape + css + "/>";
  // A <title> within an image is a tooltip, no second name.
  return fmt::format("<g{}>{}/><title>{}</title></g>", css, shape,
                     escaped(name));
}

std::string path_markup(std::size_t series,
                        std::span<const std::pair<double, double>> places) {
  if (places.empty()) return {};
  std::string points;
  for (const auto& [x, y] : places)
    points += coordinate(x) + ',' + coordinate(y) + ' ';
  points.pop_back();
  return fmt::format("<polyline points=\"{}\" class=\"l s{}\"/>", points,
                     series % series_styles);
}

} // namespace brewery::sweep_view
