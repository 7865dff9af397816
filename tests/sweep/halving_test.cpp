#include "sweep/halving.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <random>

namespace brewery {
namespace {

using places = std::vector<std::size_t>;

places cut_places(const rung_decision& made) {
  places out;
  for (const auto& one : made.cut)
    out.push_back(one.point);
  return out;
}

TEST_CASE("a rung keeps the share of the points, rounded down") {
  struct row {
    std::size_t points;
    double keep;
    std::size_t kept;
  };
  for (const auto& [points, keep, kept] : {
           row{8, 0.5, 4},
           row{3, 0.5, 1},
           row{2, 0.5, 1},
           row{1, 0.5, 1},
           row{0, 0.5, 0},
           row{9, 1.0 / 3, 3},
           row{100, 0.29, 29}, // 0.29 * 100 is below 29
           row{10, 0.3, 3},
           row{4, 0.01, 1},
           row{4, 0.999999999999, 3},
       }) {
    CAPTURE(points, keep);
    CHECK(kept_of(points, keep) == kept);
  }
}

TEST_CASE("fewer points play each stretch, down to one") {
  CHECK(points_by_stretch(8, {{2, 4}, 0.5, ""}) == places{8, 4, 2});
  CHECK(points_by_stretch(3, {{1, 2, 3}, 0.5, ""}) == places{3, 1, 1, 1});
}

TEST_CASE("points are ranked by the mean over their seeds") {
  const auto made = decide_rung(
      {{0, {0.9, 0.1}}, {2, {0.6, 0.6}}, {5, {0.2, 0.2}}, {7, {0.4, 0.8}}},
      0.5);
  CHECK(made.kept == places{2, 7});
  CHECK(cut_places(made) == places{0, 5});
  CHECK(made.cut[0].score == Approx(0.5));
  CHECK(made.cut[1].score == Approx(0.2));
}

TEST_CASE("of equal points the first in the file goes on") {
  const auto made =
      decide_rung({{3, {0.5}}, {1, {0.5}}, {2, {0.5}}, {4, {0.5}}}, 0.5);
  CHECK(made.kept == places{1, 2});
  CHECK(cut_places(made) == places{3, 4});
}

TEST_CASE("a score that is no number is the worst") {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const auto made = decide_rung({{0, {nan}}, {1, {0.0}}}, 0.5);
  CHECK(made.kept == places{1});
}

TEST_CASE("a rung without points, or with one, cuts nothing") {
  CHECK(decide_rung({}, 0.5).kept.empty());
  const auto made = decide_rung({{4, {0.1}}}, 0.5);
  CHECK(made.kept == places{4});
  CHECK(made.cut.empty());
}

TEST_CASE("whatever the points and the order they come in, a rung is decided "
          "alike, and nobody who is cut is better than one who is kept") {
  std::mt19937_64 draw{11};
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const auto count = 1 + draw() % 12, seeds = 1 + draw() % 3;
    const auto keep = 0.05 + 0.9 * static_cast<double>(draw() % 1000) / 1000;
    std::vector<point_at_rung> points;
    std::vector<double> means(count);
    for (std::size_t p = 0; p < count; ++p) {
      points.push_back({p, {}});
      for (std::size_t s = 0; s < seeds; ++s)
        // Few values, so that ties are common.
        points.back().rewards.push_back(static_cast<double>(draw() % 3) / 2);
      for (const auto reward : points.back().rewards)
        means[p] += reward;
    }
    const auto made = decide_rung(points, keep);
    std::ranges::shuffle(points, draw);
    const auto again = decide_rung(points, keep);
    REQUIRE(made.kept == again.kept);
    REQUIRE(cut_places(made) == cut_places(again));
    REQUIRE(made.kept.size() == kept_of(count, keep));
    REQUIRE(made.kept.size() + made.cut.size() == count);
    for (const auto kept : made.kept)
      for (const auto& cut : made.cut)
        REQUIRE((means[kept] > means[cut.point]
                 || (means[kept] == means[cut.point] && kept < cut.point)));
  }
}

} // namespace
} // namespace brewery
