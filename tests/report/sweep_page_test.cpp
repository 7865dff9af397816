#include "report/sweep/methods.hpp"
#include "report/sweep/run_group.hpp"
#include "report/sweep/summary.hpp"
#include "report/sweep/sweep_markdown.hpp"
#include "report/sweep/sweep_page.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

constexpr const char* hostile =
    "<script>alert(1)</script>\" onload='x' &\x1b[31m|`";

barrier_figures barrier(std::uint32_t iteration) {
  return {iteration, std::uint64_t{100} * (iteration + 1), 0.2, 0.3,
          0.3 + 0.01 * iteration};
}

point_figures point(const std::string& name, std::size_t seeds, double score) {
  point_figures out;
  out.name = name;
  out.options = {{"search.max_width", "3"}};
  out.width = 3;
  out.depth = 3;
  for (std::size_t i = 0; i < seeds; ++i) {
    seed_figures one;
    one.seed = i;
    one.run = name + "-s" + std::to_string(i);
    one.state = "finished";
    one.score = score;
    one.without = 0.1;
    one.rollouts = one.played = 1000;
    for (std::uint32_t t = 0; t <= 25; ++t)
      one.curve.push_back(barrier(t));
    one.documents = {{name, 4, 2, 0.5, estimate{0.1, 0, 0.2}, {}}};
    out.seeds.push_back(one);
  }
  out.score = estimate{score, score - 0.1, score + 0.1};
  out.gain = estimate{0.1, 0.05, 0.2};
  return out;
}

bool has_no_number(const std::string& text) {
  for (const auto* word :
       {">nan", ">inf", "-nan", "\"nan", "\"inf", " nan", "=\"-inf"})
    if (text.find(word) != std::string::npos) return true;
  return false;
}

point_figures point_of(const std::string& name, const std::string& benchmark,
                       const std::string& strategies, double score) {
  auto out = point(name, 1, score);
  out.benchmark = benchmark;
  out.options = {{"environment.kind", benchmark},
                 {"search.strategies", strategies},
                 {"user.kind", benchmark == "b" ? "llm" : "none"}};
  return out;
}

} // namespace

TEST_CASE("names from outside stay text") {
  sweep_figures sweep;
  sweep.name = hostile;
  sweep.benchmark = hostile;
  sweep.points = {point(hostile, 2, 0.5)};
  const auto page = sweep_html(sweep);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find('\x1b') == std::string::npos);
  CHECK(page.find("&lt;script&gt;") != std::string::npos);
  CHECK(sweep_markdown(sweep).find('\x1b') == std::string::npos);
}

TEST_CASE("what is not known has no number") {
  sweep_figures empty;
  CHECK_FALSE(has_no_number(sweep_html(empty)));
  CHECK_FALSE(has_no_number(sweep_markdown(empty)));
  sweep_figures running;
  auto one = point("a", 1, 0.5);
  one.score = one.gain = std::nullopt;
  one.seeds.front().score = one.seeds.front().without = std::nullopt;
  one.seeds.front().state = "running";
  one.seeds.front().curve.clear();
  one.seeds.front().rollouts = one.seeds.front().played = 0;
  point_figures none;
  none.name = "b";
  running.points = {one, none};
  CHECK_FALSE(has_no_number(sweep_html(running)));
  CHECK_FALSE(has_no_number(sweep_markdown(running)));
  CHECK(sweep_html(running).find("running") != std::string::npos);
  sweep_figures equal;
  equal.points = {point("a", 1, 1), point("b", 1, 1)};
  CHECK_FALSE(has_no_number(sweep_html(equal)));
}

TEST_CASE("the page of 50 points and 250 runs is below 3 MB") {
  sweep_figures sweep;
  for (int i = 0; i < 50; ++i)
    sweep.points.push_back(point("point-" + std::to_string(i), 5, 0.01 * i));
  CHECK(sweep_html(sweep).size() < 3'000'000);
}

TEST_CASE("points at one place of the chart of costs share a text") {
  sweep_figures sweep;
  for (const auto* name : {"a", "b", "c", "d", "e"})
    sweep.points.push_back(point(name, 1, 0.5));
  sweep.points.push_back(point("f", 1, 0.9));
  const auto page = sweep_html(sweep);
  CHECK(page.find(">1, 2, 3 +2</text>") != std::string::npos);
  CHECK(page.find("class=\"label\">6</text>") != std::string::npos);
}

TEST_CASE("a heat map of many columns has shorter numbers") {
  sweep_figures sweep;
  for (std::uint64_t width = 1; width <= 7; ++width) {
    sweep.points.push_back(point(std::to_string(width), 1, 0.5));
    sweep.points.back().width = width;
  }
  CHECK(sweep_html(sweep).find("class=\"cell\">50</text>")
        != std::string::npos);
  sweep.points.pop_back();
  CHECK(sweep_html(sweep).find("class=\"cell\">50.0 %</text>")
        != std::string::npos);
}

TEST_CASE("what reuse and bounds saved is shown of each point") {
  sweep_figures sweep;
  sweep.points = {point("a", 2, 0.5), point("b", 1, 0.5)};
  CHECK(sweep_markdown(sweep).find("what was saved") == std::string::npos);
  for (auto& seed : sweep.points[0].seeds) {
    seed.scoring.add(economy::asked, 500);
    seed.scoring.add(economy::pruned, 60);
    seed.scoring.add(economy::resumed, 10);
    seed.scoring.add(economy::raced, 7);
    seed.saved = {50, 120, picodollars_per_dollar};
  }
  CHECK(sweep_markdown(sweep).find(
            "| 1 | a | 1,000 | 120 | 20 | 14 | 0 | 0 | 0 | 100 | \\$2.00 |")
        != std::string::npos);
  CHECK(sweep_html(sweep).find("What reuse, bounds and races saved")
        != std::string::npos);
}

TEST_CASE("runs that are not in the numbers are said") {
  sweep_figures sweep;
  sweep.points = {point("a", 2, 0.5)};
  sweep.not_begun = 3;
  sweep.unreadable = 1;
  sweep.absent = {"a-s7 is gone"};
  const auto page = sweep_html(sweep);
  CHECK(page.find("3 runs have not begun") != std::string::npos);
  CHECK(page.find("1 run cannot be read") != std::string::npos);
  CHECK(page.find("1 run is not here") != std::string::npos);
  CHECK(page.find("a-s7 is gone") != std::string::npos);
  CHECK(page.find("2 of 7") != std::string::npos);
}

TEST_CASE("a best point with fewer seeds than others is not headlined alone") {
  sweep_figures sweep;
  sweep.points = {point("a", 3, 0.5), point("b", 2, 0.6)};
  CHECK(sweep_html(sweep).find("It has scores of 2 seeds only, others of up to "
                               "3")
        != std::string::npos);
  sweep.points = {point("a", 2, 0.5), point("b", 3, 0.6)};
  CHECK(sweep_html(sweep).find("seeds only") == std::string::npos);
}

TEST_CASE("a difference whose interval covers 0 is not called one") {
  sweep_figures sweep;
  sweep.score_name = "success";
  sweep.points = {point("a", 2, 0.5), point("b", 2, 0.6)};
  sweep.points[1].difference = estimate{0.1, -0.05, 0.25};
  CHECK(sweep_html(sweep).find("not shown to differ") != std::string::npos);
  CHECK(sweep_html(sweep).find("No language model took part")
        != std::string::npos);
  // What a package asks by itself is not known, so not said to be nothing.
  sweep.with_memory_port = true;
  CHECK(sweep_html(sweep).find("No language model took part")
        == std::string::npos);
  CHECK(sweep_html(sweep).find("no part of calls, tokens and cost")
        != std::string::npos);
}

TEST_CASE("points of several benchmarks are rows by method") {
  sweep_figures sweep;
  sweep.score_name = "success";
  sweep.points = {point_of("no-kb-a", "a", "[]", 0.1),
                  point_of("mcts-a", "a", "[mcts]", 0.3),
                  point_of("no-kb-b", "b", "[]", 0.6),
                  point_of("mcts-b", "b", "[mcts]", 0.7),
                  point_of("mcts", "b", "[greedy]", 0.8)};
  sweep.points[1].difference = estimate{0.2, 0.15, 0.25};
  auto& seeds = sweep.points[1].seeds;
  seeds.resize(2);
  seeds[0].calls = 1500;
  seeds[0].tokens_alone = 60;
  seeds[0].seconds = 1;
  seeds[1].calls = 2500;
  seeds[1].tokens_alone = 20;
  seeds[1].seconds = 3;
  sweep_view::name_methods(sweep);
  const auto text = sweep_markdown(sweep);
  const auto has = [&](const char* row) {
    return text.find(row) != std::string::npos;
  };
  CHECK(has("| no-kb | 10.0 % (0.0 to 20.0) | first | 0 calls, 0 tokens, "
            "0.0 s | 60.0 % (50.0 to 70.0) | first |"));
  CHECK(
      has("| mcts | 30.0 % (20.0 to 40.0) | +20.0 pp (+15.0 to +25.0) | 2,000 "
          "calls, 40 tokens, 2.0 s | 70.0 % (60.0 to 80.0) |"));
  // Begins alike, and is another method.
  CHECK(has("| mcts (2) | - | - | - | 80.0 %"));
  CHECK(has("whose scores do not compare"));
  CHECK_FALSE(has("Pareto front |"));
  CHECK(sweep_html(sweep).find("id=\"methods\"") != std::string::npos);
  // Of one benchmark the points are the methods.
  sweep.points.resize(2);
  CHECK(sweep_markdown(sweep).find("Methods by") == std::string::npos);
}

TEST_CASE("a point is called the only one if no other is to come") {
  sweep_figures sweep;
  sweep.points = {point("a", 1, 0.5)};
  CHECK_THAT(sweep_view::headline(sweep),
             Catch::Contains("It is the only point."));
  sweep.not_begun = 1;
  CHECK_THAT(sweep_view::headline(sweep),
             Catch::Contains("It is the only point with a score yet."));
}

TEST_CASE("points of a group are in the order of its runs, not by name") {
  const auto state = state_of_group(
      "g", {{"g.wide-s2", 2}, {"g.narrow-s1", 1}, {"g.wide-s1", 1}});
  REQUIRE(state.points.size() == 2);
  CHECK(state.points[0].name == "wide");
  CHECK(state.points[0].runs.front().seed == 1);
  CHECK(state.points[1].name == "narrow");
}
