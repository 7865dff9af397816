/// Versions that lost a challenge, and scores that are replaced.

#include "search/bounds.hpp"
#include "search/report.hpp"
#include "tests/search/support.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

TEST_CASE("a challenger is confirmed unless it was worse") {
  const auto made = [](std::vector<double> own, std::vector<double> other) {
    return is_confirmed({{0}, 1, std::move(own), std::move(other)});
  };
  CHECK(made({0.6}, {0.5}));
  CHECK(made({0.5}, {0.5}));
  CHECK_FALSE(made({0.4}, {0.5}));
  CHECK(made({0.0}, {})); // nothing is known of the published one
  CHECK_FALSE(made({}, {0.0}));
  CHECK_FALSE(made({}, {}));
}

TEST_CASE("a refused version is not the best, and bounds know it") {
  tree t = evaluated_root(0.5);
  const node_id good = grow(t, tree::root(), 0.9);
  const node_id next = grow(t, tree::root(), 0.7);
  CHECK(t.best() == good);
  t.note_challenge(good, {tree::root(), 1, {0.4}, {0.5}});
  CHECK(t.best() == next);
  CHECK(record_of(t.at(good)).challenges.size() == 1);
  // What it beat may be the best now.
  const auto open = t.add_child(good, hash_of(1), 1).id;
  evaluation stopped{{"stopped"}, 0.8, 0.8, 0.8, 1, 0.1};
  t.absorb(open, stopped);
  CHECK(undecided_best(t) == std::vector{open});
  CHECK(beaten({{open, {0.1, 0.6}}}, t) == std::vector{open});
  CHECK(beaten({{open, {0.1, 0.8}}}, t).empty());
  // Accepted later: a challenge is decided by the last one.
  t.note_challenge(good, {tree::root(), 2, {0.6}, {0.5}});
  CHECK(t.best() == good);
  CHECK(undecided_best(t).empty());
  // Its own score counts for its ancestors all the time.
  CHECK(t.at(tree::root()).total == Approx(0.5 + 0.9 + 0.7 + 0.8));
}

TEST_CASE("a replaced score leaves no trace in the ancestors") {
  const auto seed = GENERATE(range(1, 21));
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "replace")};
  tree t = random_shape(draw, 2 + draw.below(40), {4, 5});
  tree expected = t;
  for (std::uint32_t i = 0; i < t.size(); ++i)
    REQUIRE(t.absorb({i}, scored(draw.uniform())));
  for (std::uint32_t i = 0; i < t.size(); ++i)
    if (draw.below(2) == 0) t.replace({i}, scored(draw.uniform(), "again"));
  for (std::uint32_t i = 0; i < t.size(); ++i) {
    REQUIRE(t.at({i}).evaluations.size() == 1);
    REQUIRE(expected.absorb({i}, t.at({i}).evaluations.front()));
  }
  for (std::uint32_t i = 0; i < t.size(); ++i) {
    CHECK(t.at({i}).total == expected.at({i}).total);
    CHECK(t.at({i}).visits == expected.at({i}).visits);
  }
  CHECK(t.best() == expected.best());
}
