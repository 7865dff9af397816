#include "report/sweep/chart_axes.hpp"
#include "report/sweep/charts.hpp"
#include "report/sweep/markup.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::sweep_view {

namespace {

using chart_places = std::vector<std::pair<double, double>>;

/// Series of the train, eval and test curves.
constexpr std::size_t train_series = 1, eval_series = 0, test_series = 3;

/// A line with its markers.
std::string line_markup(std::size_t series, const chart_places& places,
                        double radius) {
  auto out = path_markup(series, places);
  for (const auto& [x, y] : places)
    out += marker_markup(series, x, y, radius);
  return out;
}

/// A marker beside its name, for the key below a chart.
std::string key_entry(std::size_t series, const std::string& name) {
  return fmt::format(
      "<li><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 34 16\" "
      "class=\"sample\" aria-hidden=\"true\">{}{}</svg>{}</li>",
      path_markup(series, chart_places{{0, 8}, {34, 8}}),
      marker_markup(series, 17, 8, 5), escaped(name));
}

/// Which points get a colour of their own: the first and the highest scores,
/// as many as there are styles, in their order.
std::vector<std::size_t> highlighted(const sweep_figures& sweep) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < sweep.points.size(); ++i)
    if (!mean_curve(sweep.points[i]).empty()) out.push_back(i);
  if (out.size() <= series_styles) return out;
  std::ranges::stable_sort(
      out.begin() + 1, out.end(), std::greater<>{}, [&](std::size_t i) {
        return value_of(sweep.points[i].score).value_or(-1e300);
      });
  out.resize(series_styles);
  std::ranges::sort(out);
  return out;
}

figure_table curve_numbers(const sweep_figures& sweep, std::size_t index) {
  sweep_figures alone;
  alone.points.push_back(sweep.points[index]);
  auto out = curves_table(alone);
  for (auto& row : out.rows)
    row.erase(row.begin(), row.begin() + 2);
  out.columns.erase(out.columns.begin(), out.columns.begin() + 2);
  out.header = 0;
  out.caption =
      fmt::format("By iteration, point {}; test at the end: {}", index + 1,
                  share_text(value_of(sweep.points[index].score)));
  return out;
}

/// Range of all shares and of all iterations that any curve shows.
struct curve_ranges {
  value_range share, iteration;
};

curve_ranges ranges_of(const sweep_figures& sweep) {
  std::vector<double> shares, iterations = {0};
  for (const auto& point : sweep.points)
    for (const auto& step : mean_curve(point)) {
      iterations.push_back(step.iteration);
      shares.push_back(step.eval);
      if (step.train) shares.push_back(*step.train);
      if (const auto test = value_of(point.score)) shares.push_back(*test);
    }
  return {widened(range_of(shares), 0.06), range_of(iterations)};
}

figure_chart curve_chart(const sweep_figures& sweep, std::size_t index,
                         const std::vector<curve_step>& curve,
                         const curve_ranges& ranges) {
  const auto& point = sweep.points[index];
  const axis_scale x{ranges.iteration, 64, chart_width - 40};
  const axis_scale y{ranges.share, 230, 34};
  auto content = frame_markup(x, axis_unit::count, "iteration", y,
                              axis_unit::share, "mean grade");
  chart_places train, eval;
  for (const auto& step : curve) {
    eval.emplace_back(x.at(step.iteration), y.at(step.eval));
    if (step.train) train.emplace_back(x.at(step.iteration), y.at(*step.train));
  }
  const double radius = curve.size() > 15 ? 2.5 : 4;
  content += line_markup(train_series, train, radius)
             + line_markup(eval_series, eval, radius);
  const auto test = value_of(point.score);
  if (test)
    content += marker_markup(test_series, x.to + 20, y.at(*test), 7,
                             "test: " + share_text(test));
  figure_chart out;
  out.id = fmt::format("curve{}", index + 1);
  out.title = fmt::format("{}. {}", index + 1, point.name);
  out.numbers = curve_numbers(sweep, index);
  out.svg = svg_markup(
      out.id, 278, "Train, eval and test by iteration of point " + out.title,
      fmt::format("Eval goes from {} to {} in {} iterations; test {}.",
                  share_text(curve.front().eval), share_text(curve.back().eval),
                  curve.back().iteration,
                  test ? "is " + share_text(test) : "is not known"),
      content);
  if (index == 0 || sweep.points.size() <= 8) {
    out.key = key_entry(train_series, "train") + key_entry(eval_series, "eval");
    if (test) out.key += key_entry(test_series, "test, at the end");
  }
  return out;
}

figure_table progress_numbers(const sweep_figures& sweep) {
  auto out = curves_table(sweep);
  out.caption = "Best reward so far against rollouts";
  for (auto& row : out.rows)
    row.erase(row.begin() + 5, row.begin() + 8);
  out.columns.erase(out.columns.begin() + 5, out.columns.begin() + 8);
  return out;
}

} // namespace

std::vector<figure_chart> curve_charts(const sweep_figures& sweep) {
  std::vector<figure_chart> out;
  const auto ranges = ranges_of(sweep);
  for (std::size_t i = 0; i < sweep.points.size(); ++i)
    if (const auto curve = mean_curve(sweep.points[i]); !curve.empty())
      out.push_back(curve_chart(sweep, i, curve, ranges));
  return out;
}

std::optional<figure_chart> progress_chart(const sweep_figures& sweep) {
  const auto shown = highlighted(sweep);
  if (shown.empty()) return std::nullopt;
  std::vector<double> rollouts = {0}, rewards;
  for (const auto& point : sweep.points)
    for (const auto& step : mean_curve(point)) {
      rollouts.push_back(step.rollouts);
      rewards.push_back(step.best);
    }
  auto rollout_range = range_of(rollouts);
  rollout_range.high += 0.03 * (rollout_range.high - rollout_range.low);
  const axis_scale x{rollout_range, 64, chart_width - 14};
  const axis_scale y{widened(range_of(rewards), 0.08), 290, 34};
  auto content = frame_markup(x, axis_unit::count, "rollouts of a run", y,
                              axis_unit::share, "best reward so far");
  std::string lines;
  figure_chart out;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    chart_places places;
    for (const auto& step : mean_curve(sweep.points[i]))
      places.emplace_back(x.at(step.rollouts), y.at(step.best));
    const auto found = std::ranges::find(shown, i);
    if (found == shown.end()) {
      std::string points;
      for (const auto& [across, up] : places)
        points += coordinate(across) + ',' + coordinate(up) + ' ';
      content +=
          fmt::format("<polyline points=\"{}\" class=\"other\"/>", points);
      continue;
    }
    const auto series = static_cast<std::size_t>(found - shown.begin());
    lines += line_markup(series, places, places.size() > 15 ? 3 : 4.5);
    out.key +=
        key_entry(series, fmt::format("{}. {}", i + 1, sweep.points[i].name));
  }
  out.id = "progress";
  out.title = "Best reward so far against rollouts";
  out.reading = "What a run has found for the rollouts that it asked for, as "
                "the mean over seeds. Further left at the same height is "
                "cheaper.";
  if (sweep.points.size() > shown.size())
    out.reading += " In colour: the first point and the highest scores.";
  out.numbers = progress_numbers(sweep);
  out.svg =
      svg_markup(out.id, 340, out.title,
                 fmt::format("{} points; the highest mean reward is {}.",
                             sweep.points.size(),
                             share_text(*std::ranges::max_element(rewards))),
                 content + lines);
  return out;
}

} // namespace brewery::sweep_view
