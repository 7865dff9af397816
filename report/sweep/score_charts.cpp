#include "report/sweep/chart_axes.hpp"
#include "report/sweep/charts.hpp"
#include "report/sweep/markup.hpp"
#include "report/sweep/methods.hpp"
#include "report/sweep/pareto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery::sweep_view {

namespace {

constexpr std::size_t name_bytes_max = 46; // what fits into a chart's width

std::string numbered_name(std::size_t index, const point_figures& point) {
  return fmt::format("{}. {}", index + 1, point.name);
}

/// Every number that the chart of scores shows.
std::vector<double> shown_scores(const sweep_figures& sweep) {
  std::vector<double> out;
  for (const auto& point : sweep.points) {
    if (value_of(point.score))
      out.insert(out.end(),
                 {point.score->value, point.score->low, point.score->high});
    for (const auto& seed : point.seeds)
      if (const auto score = finite(seed.score)) out.push_back(*score);
  }
  return out;
}

/// The row of a point: its name, its seeds, its interval.
std::string score_row(const point_figures& point, std::size_t index,
                      const axis_scale& x, double top, bool best) {
  const double middle = top + 27;
  auto out =
      fmt::format("<text x=\"0\" y=\"{}\" class=\"{}\">{}</text>",
                  coordinate(top + 14), best ? "row best" : "row",
                  escaped_short(numbered_name(index, point), name_bytes_max));
  for (const auto& seed : point.seeds)
    if (const auto score = finite(seed.score))
      out += fmt::format(
          "<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" class=\"seed\"><title>seed "
          "{}: {}</title></circle>",
          coordinate(x.at(*score)), coordinate(middle + 9), seed.seed,
          share_text(score));
  if (!value_of(point.score))
    return out
           + chart_text(x.from, middle + 4, "start", "no score yet", "tick");
  const auto& score = *point.score;
  const double low = x.at(score.low), high = x.at(score.high);
  out += chart_line(low, middle, high, middle, "bar");
  out += chart_line(low, middle - 4, low, middle + 4, "bar");
  out += chart_line(high, middle - 4, high, middle + 4, "bar");
  return out
         + marker_markup(best ? 3 : 0, x.at(score.value), middle, best ? 7 : 6,
                         share_text(score.value) + " (" + interval_text(score)
                             + ")");
}

figure_table scores_numbers(const sweep_figures& sweep) {
  figure_table out;
  out.caption = "Scores of points and of their seeds";
  out.columns = {{"no.", true}, {"point"}, {"score", true}, {"seeds"}};
  out.header = 1;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const auto& point = sweep.points[i];
    std::string seeds;
    for (const auto& seed : point.seeds)
      seeds += fmt::format("{}{}: {}", seeds.empty() ? "" : "; ", seed.seed,
                           share_text(seed.score));
    out.rows.push_back(
        {{std::to_string(i + 1)},
         {point.name},
         {share_text(value_of(point.score)), interval_text(point.score)},
         {seeds}});
  }
  return out;
}

/// A point with a score, as the chart of costs shows it.
struct priced_point {
  std::size_t index = 0;
  cost_and_score at;
  bool front = false;
};

std::vector<priced_point> priced_points(const sweep_figures& sweep,
                                        bool money) {
  std::vector<priced_point> out;
  std::vector<cost_and_score> places;
  for (std::size_t i = 0; i < sweep.points.size(); ++i)
    if (const auto score = value_of(sweep.points[i].score)) {
      places.push_back({cost_per_run(sweep.points[i], money), *score});
      out.push_back({i, places.back()});
    }
  const auto front = pareto_front(places);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i].front = front[i];
  return out;
}

/// Numbers of points beside their markers. Points that are too near each other
/// share a text.
struct number_label {
  double x = 0, y = 0;
  std::vector<std::size_t> numbers;

  [[nodiscard]] std::string text() const {
    constexpr std::size_t shown = 3;
    std::string out;
    for (std::size_t i = 0; i < std::min(shown, numbers.size()); ++i)
      out += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
    if (numbers.size() > shown)
      out += fmt::format(" +{}", numbers.size() - shown);
    return out;
  }
  /// Of the text, at the largest size that it has on any screen.
  [[nodiscard]] double half_width() const {
    return 5.5 * static_cast<double>(text().size());
  }
  /// Of its middle, so that all of it is within the chart.
  [[nodiscard]] double across() const {
    return std::min(x, chart_width - half_width());
  }
  [[nodiscard]] bool touches(const number_label& other) const {
    constexpr double height = 20;
    return std::abs(y - other.y) < height
           && std::abs(across() - other.across())
                  < half_width() + other.half_width();
  }
};

std::string labels_markup(std::vector<number_label> labels) {
  for (std::size_t i = 0; i < labels.size();) {
    const auto near = std::find_if(
        labels.begin() + static_cast<std::ptrdiff_t>(i) + 1, labels.end(),
        [&](const auto& other) { return labels[i].touches(other); });
    if (near == labels.end()) {
      ++i;
      continue;
    }
    auto& all = labels[i].numbers;
    all.insert(all.end(), near->numbers.begin(), near->numbers.end());
    std::ranges::sort(all);
    labels.erase(near);
    i = 0; // it is wider now
  }
  std::string out;
  for (const auto& one : labels)
    out += chart_text(one.across(), one.y, "middle", one.text(), "label");
  return out;
}

/// The front as steps: what the best score is for what one is ready to pay.
std::string front_markup(std::vector<priced_point> points, const axis_scale& x,
                         const axis_scale& y) {
  std::erase_if(points, [](const auto& point) { return !point.front; });
  std::ranges::sort(points, {}, [](const auto& p) { return p.at.cost; });
  std::string places;
  double height = 0;
  for (const auto& point : points) {
    const double across = x.at(point.at.cost);
    if (!places.empty())
      places += coordinate(across) + ',' + coordinate(height) + ' ';
    height = y.at(point.at.score);
    places += coordinate(across) + ',' + coordinate(height) + ' ';
  }
  places += coordinate(x.to) + ',' + coordinate(height);
  return fmt::format("<polyline points=\"{}\" class=\"front\"/>", places);
}

figure_table cost_numbers(const sweep_figures& sweep,
                          const std::vector<priced_point>& points, bool money) {
  figure_table out;
  out.caption = "Mean cost of a run and score";
  out.columns = {{"no.", true},
                 {"point"},
                 {money ? "cost per run" : "rollouts per run", true},
                 {"score", true},
                 {"Pareto front"}};
  out.header = 1;
  for (const auto& point : points)
    out.rows.push_back({{std::to_string(point.index + 1)},
                        {sweep.points[point.index].name},
                        {money ? money_text(point.at.cost)
                               : fmt::format("{:.1f}", point.at.cost)},
                        {share_text(point.at.score)},
                        {point.front ? "yes" : "no"}});
  return out;
}

} // namespace

std::optional<figure_chart> scores_chart(const sweep_figures& sweep) {
  if (!best_point(sweep)) return std::nullopt;
  constexpr double row = 50;
  const double bottom = row * static_cast<double>(sweep.points.size()) + 6;
  const axis_scale x{widened(range_of(shown_scores(sweep)), 0.05), 8,
                     chart_width - 24};
  std::string content;
  const auto ticks = ticks_in(x.range, 6);
  for (const double tick : ticks) {
    content += chart_line(x.at(tick), 0, x.at(tick), bottom, "grid");
    content +=
        chart_text(x.at(tick), bottom + 19, "middle",
                   tick_text(tick, ticks.size() > 1 ? ticks[1] - ticks[0] : 1,
                             axis_unit::share),
                   "tick");
  }
  const auto* best = best_point(sweep);
  for (std::size_t i = 0; i < sweep.points.size(); ++i)
    content += score_row(sweep.points[i], i, x, row * static_cast<double>(i),
                         &sweep.points[i] == best);
  figure_chart out;
  out.id = "scores";
  out.title = "Scores with 95 % intervals";
  out.reading = "The large mark is a point's score, the bar its 95 % interval; "
                "the small dots below are its seeds. The highest score is a "
                "diamond.";
  out.numbers = scores_numbers(sweep);
  out.svg =
      svg_markup(out.id, bottom + 28, out.title, headline(sweep), content);
  return out;
}

std::optional<figure_chart> cost_chart(const sweep_figures& sweep) {
  const bool money = costs_money(sweep);
  const auto points = priced_points(sweep, money);
  if (points.empty() || benchmarks_of(sweep).size() > 1) return std::nullopt;
  std::vector<double> costs = {0}, scores;
  std::size_t on_front = 0;
  for (const auto& point : points) {
    costs.push_back(point.at.cost);
    scores.push_back(point.at.score);
    on_front += point.front;
  }
  auto cost_range = range_of(costs);
  cost_range.high += 0.06 * (cost_range.high - cost_range.low);
  const axis_scale x{
      {std::max(0.0, cost_range.low), cost_range.high}, 64, chart_width - 14};
  const axis_scale y{widened(range_of(scores), 0.12), 290, 34};
  auto content = frame_markup(
      x, money ? axis_unit::money : axis_unit::count,
      money ? "money per run" : "rollouts per run", y, axis_unit::share,
      sweep.score_name.empty() ? "score" : sweep.score_name);
  content += front_markup(points, x, y);
  std::vector<number_label> labels;
  for (const auto& point : points) {
    const double across = x.at(point.at.cost), up = y.at(point.at.score);
    content +=
        marker_markup(point.front ? 3 : 0, across, up, point.front ? 7 : 5,
                      numbered_name(point.index, sweep.points[point.index]));
    // Among many points only those of the front have room for a number.
    if (point.front || points.size() <= 12)
      labels.push_back({across, up - 11, {point.index + 1}});
  }
  content += labels_markup(std::move(labels));
  figure_chart out;
  out.id = "cost";
  out.title = "Cost against score";
  out.reading = "Up is better, left is cheaper. Diamonds are on the Pareto "
                "front, the dashed line: for its cost no other point scores "
                "higher. The numbers are those of the points.";
  if (money)
    out.reading += " What runs have in common counts for each: it is what they "
                   "would cost alone.";
  out.numbers = cost_numbers(sweep, points, money);
  out.svg = svg_markup(out.id, 340, out.title,
                       fmt::format("{} points, {} on the Pareto front.",
                                   points.size(), on_front),
                       content);
  return out;
}

} // namespace brewery::sweep_view
