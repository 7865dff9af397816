#include "search/tree.hpp"
#include "tests/search/support.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

TEST_CASE("a new tree is one unevaluated, expandable root") {
  const tree fresh{hash_of(0), {}};
  CHECK(fresh.size() == 1);
  CHECK(fresh.at(tree::root()).parent == tree::root());
  CHECK(fresh.at(tree::root()).visits == 0);
  CHECK(fresh.at(tree::root()).value() == 0);
  CHECK(fresh.at(tree::root()).open);
  CHECK_FALSE(fresh.best());
}

TEST_CASE("a reward counts for its node and every ancestor") {
  tree t = evaluated_root(0.2);
  const node_id a = grow(t, tree::root(), 0.4);
  const node_id b = grow(t, tree::root(), 0.6);
  const node_id c = grow(t, a, 1.0);
  CHECK(t.at(tree::root()).visits == 4);
  CHECK(t.at(tree::root()).value() == Approx(0.55));
  CHECK(t.at(a).visits == 2);
  CHECK(t.at(a).value() == Approx(0.7));
  CHECK(t.at(b).value() == Approx(0.6));
  CHECK(t.at(c).visits == 1);
  // Own rewards stay what was measured.
  CHECK(t.at(tree::root()).reward == 0.2);
  CHECK(t.at(a).reward == 0.4);
}

TEST_CASE("an evaluation with a known id is the same sample") {
  tree t = evaluated_root(0.2);
  CHECK_FALSE(t.absorb(tree::root(), scored(0.9)));
  CHECK(t.at(tree::root()).reward == 0.2);
  CHECK(t.at(tree::root()).evaluations.size() == 1);
}

TEST_CASE("a second evaluation refines the reward, not the visits") {
  tree t = evaluated_root(0.2);
  CHECK(t.absorb(tree::root(), scored(0.6, "second")));
  CHECK(t.at(tree::root()).reward == Approx(0.4));
  CHECK(t.at(tree::root()).visits == 1);
}

TEST_CASE("each part of an evaluation is averaged on its own") {
  tree t{hash_of(0), {}};
  t.absorb(tree::root(), {{"a"}, 0.1, 0.2, 0.4, 3});
  CHECK(t.at(tree::root()).correctness == 0.2);
  CHECK(t.at(tree::root()).retrieval == 0.4);
  t.absorb(tree::root(), {{"b"}, 0.5, 0.6, 0.6, 3});
  CHECK(t.at(tree::root()).reward == Approx(0.3));
  CHECK(t.at(tree::root()).correctness == Approx(0.4));
  CHECK(t.at(tree::root()).retrieval == Approx(0.5));
}

TEST_CASE("a child knows its parent, its iteration and its depth") {
  tree t = evaluated_root(0.2);
  const auto child = t.add_child(tree::root(), hash_of(1), 4);
  const auto grandchild = t.add_child(child.id, hash_of(2), 7);
  CHECK(t.at(child.id).id == child.id);
  CHECK(t.at(child.id).iteration == 4);
  CHECK(t.at(grandchild.id).parent == child.id);
  CHECK(t.at(grandchild.id).iteration == 7);
  CHECK(t.at(grandchild.id).depth == 2);
  CHECK(t.at(tree::root()).children == std::vector{child.id});
}

TEST_CASE("a tree whose nodes are all full or at the limit is closed") {
  tree t = evaluated_root(0.2, {1, 2});
  const node_id child = grow(t, tree::root(), 0.5);
  CHECK(t.at(tree::root()).open); // below the child there is room
  grow(t, child, 0.5);
  CHECK_FALSE(t.at(child).open);
  CHECK_FALSE(t.at(tree::root()).open);
}

TEST_CASE("a candidate identical to a node is dropped") {
  tree t = evaluated_root(0.2);
  const auto first = t.add_child(tree::root(), hash_of(7), 1);
  CHECK(first.created);
  const auto again = t.add_child(tree::root(), hash_of(7), 1);
  CHECK_FALSE(again.created);
  CHECK(again.id == first.id);
  const auto of_root = t.add_child(tree::root(), hash_of(0), 1);
  CHECK_FALSE(of_root.created);
  CHECK(of_root.id == tree::root());
  CHECK(t.size() == 2);
  CHECK(t.find(hash_of(7)) == first.id);
  CHECK_FALSE(t.find(hash_of(8)));
}

TEST_CASE("a dropped candidate uses no width, but its draw is counted") {
  tree t = evaluated_root(0.2, {2, 3});
  t.add_child(tree::root(), hash_of(0), 1);
  t.add_child(tree::root(), hash_of(0), 1);
  CHECK(t.room(tree::root()) == 2);
  CHECK(t.at(tree::root()).open);
  CHECK(t.at(tree::root()).drawn == 2); // so that no draw is repeated
  CHECK(t.at(tree::root()).visits == 1);
}

TEST_CASE("nodes at the depth limit cannot be expanded") {
  tree t = evaluated_root(0.2, {3, 1});
  const node_id leaf = grow(t, tree::root(), 0.5);
  CHECK(t.at(leaf).depth == 1);
  CHECK(t.room(leaf) == 0);
  CHECK(t.can_expand(tree::root()));
}

TEST_CASE("the best node has the highest own reward, ties by lower id") {
  tree t = evaluated_root(0.5);
  const node_id a = grow(t, tree::root(), 0.5);
  CHECK(t.best() == tree::root()); // a tie: no change was better
  const node_id b = grow(t, a, 0.8);
  grow(t, tree::root(), 0.8);
  CHECK(t.best() == b);
  // The mean of b's subtree falls, its own reward does not.
  grow(t, b, 0.0);
  CHECK(t.best() == b);
}

TEST_CASE("a node without a full evaluation is never the best") {
  tree t{hash_of(0), {}};
  const auto child = t.add_child(tree::root(), hash_of(1), 1);
  CHECK_FALSE(t.best());
  t.absorb(child.id, scored(0.0));
  CHECK(t.best() == child.id);
}

TEST_CASE("properties of random trees") {
  const auto seed = GENERATE(range(1, 41));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "tree")};
  tree t = random_shape(draw, 2 + draw.below(60), {4, 5});
  double low = 1;
  double high = 0;
  for (std::uint32_t i = 0; i < t.size(); ++i) {
    const double reward = draw.uniform();
    low = std::min(low, reward);
    high = std::max(high, reward);
    REQUIRE(t.absorb({i}, scored(reward)));
  }
  CHECK(t.at(tree::root()).visits == t.size());
  for (const auto& item : t.nodes()) {
    std::uint32_t visits = 1;
    bool open = t.can_expand(item.id);
    for (const node_id child : item.children) {
      REQUIRE(child > item.id);
      REQUIRE(t.at(child).parent == item.id);
      REQUIRE(t.at(child).depth == item.depth + 1);
      visits += t.at(child).visits;
      open = open || t.at(child).open;
    }
    CHECK(item.visits == visits);
    CHECK(item.open == open);
    CHECK(item.value() >= low - 1e-12);
    CHECK(item.value() <= high + 1e-12);
    CHECK(item.children.size() <= item.drawn);
    CHECK(item.children.size() <= t.limits().max_width);
    CHECK(item.depth <= t.limits().max_depth);
  }
}

TEST_CASE("the order and number of results changes no bit") {
  const auto seed = GENERATE(range(1, 21));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "order")};
  const tree shape = random_shape(draw, 40, {4, 6});
  struct late {
    node_id to;
    evaluation what;
  };
  std::vector<late> results;
  for (std::uint32_t i = 0; i < shape.size(); ++i)
    for (const char* id : {"a", "b", "c"})
      if (draw.uniform() < 0.7)
        results.push_back({{i}, scored(draw.uniform(), id)});
  tree in_order = shape;
  for (const auto& item : results)
    in_order.absorb(item.to, item.what);
  // Every result twice, in another order.
  auto shuffled = results;
  shuffled.insert(shuffled.end(), results.begin(), results.end());
  draw.shuffle(shuffled);
  tree mixed = shape;
  for (const auto& item : shuffled)
    mixed.absorb(item.to, item.what);
  for (std::uint32_t i = 0; i < shape.size(); ++i) {
    REQUIRE(mixed.at({i}).total == in_order.at({i}).total);
    REQUIRE(mixed.at({i}).visits == in_order.at({i}).visits);
    REQUIRE(mixed.at({i}).reward == in_order.at({i}).reward);
  }
  CHECK(mixed.best() == in_order.best());
}
