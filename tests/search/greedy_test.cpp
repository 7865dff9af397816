#include "search/selection.hpp"
#include "tests/search/support.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

/// The best node is full, so its subtree is searched: width 2, depth 4.
search_options narrow() {
  search_options out;
  out.how = strategy::greedy;
  out.candidates = 2;
  out.max_width = 2;
  out.max_depth = 4;
  return out;
}

node_id chosen(const tree& searched) {
  const auto next = select_expansion(searched, narrow());
  REQUIRE(next);
  return next->node;
}

node_id grow_unevaluated(tree& searched, node_id parent) {
  return searched.add_child(parent, hash_of(500 + searched.size()), 1).id;
}

} // namespace

TEST_CASE("below a full best node equal rewards go to the lower id") {
  tree t = evaluated_root(0.9, limits_of(narrow()));
  const node_id first = grow(t, tree::root(), 0.5);
  grow(t, tree::root(), 0.5);
  CHECK(chosen(t) == first);
}

TEST_CASE("below a full best node an unevaluated one comes last") {
  tree t = evaluated_root(0.9, limits_of(narrow()));
  grow_unevaluated(t, tree::root());
  const node_id evaluated = grow(t, tree::root(), 0.0);
  CHECK(chosen(t) == evaluated);
}

TEST_CASE("an evaluated node stays ahead of later unevaluated ones") {
  tree t = evaluated_root(0.9, limits_of(narrow()));
  const node_id evaluated = grow(t, tree::root(), 0.0);
  grow_unevaluated(t, tree::root());
  CHECK(chosen(t) == evaluated);
}

TEST_CASE("among unevaluated nodes the lower id comes first") {
  tree t = evaluated_root(0.9, limits_of(narrow()));
  const node_id first = grow_unevaluated(t, tree::root());
  grow_unevaluated(t, tree::root());
  CHECK(chosen(t) == first);
}

TEST_CASE("a best node that cannot grow gives way to the next best that can") {
  auto options = narrow();
  options.max_depth = 2;
  tree t = evaluated_root(0.1, limits_of(options));
  const node_id good = grow(t, tree::root(), 0.6);
  const node_id poor = grow(t, tree::root(), 0.3);
  grow(t, good, 0.9); // at the greatest depth
  CHECK(select_expansion(t, options)->node == good);
  grow(t, good, 0.8);
  CHECK(select_expansion(t, options)->node == poor);
  grow(t, poor, 0.2);
  grow(t, poor, 0.2);
  CHECK_FALSE(select_expansion(t, options));
}

TEST_CASE("greedy uses all of its iterations in 3 by 3 trees") {
  const auto seed = GENERATE(range(1, 201));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "greedy")};
  search_options options; // the paper's
  options.how = strategy::greedy;
  tree t = evaluated_root(draw.uniform(), limits_of(options));
  for (std::uint32_t iteration = 1; iteration <= 10; ++iteration) {
    const auto next = select_expansion(t, options);
    REQUIRE(next);
    for (std::uint32_t i = 0; i < next->candidates; ++i)
      grow(t, next->node, draw.uniform());
  }
}

TEST_CASE("the subtree of the best node reaches its grandchildren") {
  tree t = evaluated_root(0.1, limits_of(narrow()));
  const node_id best = grow(t, tree::root(), 0.9);
  const node_id other = grow(t, tree::root(), 0.2);
  const node_id left = grow(t, best, 0.3);
  grow(t, best, 0.4);
  grow(t, other, 0.8); // outside of it, though the best of what is open
  const node_id grandchild = grow(t, left, 0.7);
  CHECK(chosen(t) == grandchild);
}
