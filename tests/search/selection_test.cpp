#include "search/selection.hpp"
#include "search/uct.hpp"
#include "tests/search/support.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace brewery;
using namespace brewery::test;

namespace {

search_options with(strategy how, std::uint32_t h, std::uint32_t width,
                    std::uint32_t depth) {
  search_options out;
  out.how = how;
  out.candidates = h;
  out.max_width = width;
  out.max_depth = depth;
  return out;
}

/// Runs `budget` expansions; child rewards come from `reward(parent, draw)`.
template <class Reward>
std::vector<node_id> run(tree& t, const search_options& options,
                         std::size_t budget, Reward reward) {
  std::vector<node_id> chosen;
  for (std::size_t i = 0; i < budget; ++i) {
    const auto next = select_expansion(t, options);
    if (!next) break;
    REQUIRE(t.can_expand(next->node));
    REQUIRE(next->candidates >= 1);
    REQUIRE(next->candidates <= t.room(next->node));
    REQUIRE(next->first_draw == t.at(next->node).drawn);
    chosen.push_back(next->node);
    for (std::uint32_t j = 0; j < next->candidates; ++j)
      grow(t, next->node, reward(next->node, next->first_draw + j));
  }
  return chosen;
}

} // namespace

TEST_CASE("uct is the mean plus c times the root of ln N over n") {
  // By hand: N = 10, n = 4, mean 0.5: 0.5 + sqrt(2 ln 10 / 4).
  CHECK(uct(0.5, 4, std::log(10.0)) == Approx(1.5729830131));
  CHECK(uct(0.5, 4, std::log(10.0), 0.0) == 0.5);
  CHECK(uct(0.9, 1, std::log(1.0)) == 0.9); // N = 1: no exploration yet
  CHECK(std::isinf(uct(0.0, 0, std::log(10.0))));
}

TEST_CASE("a full root is descended through to the best bound") {
  // N = 4, n = 1 each: the same bonus, so the mean decides.
  tree t = evaluated_root(0.3, {3, 3});
  grow(t, tree::root(), 0.1);
  const node_id good = grow(t, tree::root(), 0.9);
  grow(t, tree::root(), 0.5);
  CHECK(descend(t, uct_exploration) == good);
}

TEST_CASE("exploration prefers the branch that was looked at less") {
  // N = 6. a: 3 visits, mean 0.6, bound 0.6 + sqrt(2 ln 6 / 3) = 1.69.
  // b: 1 visit, mean 0.2, bound 0.2 + sqrt(2 ln 6) = 2.09. c: 0.1, 1.99.
  tree t = evaluated_root(0.5, {3, 2});
  const node_id a = grow(t, tree::root(), 0.6);
  const node_id b = grow(t, tree::root(), 0.2);
  grow(t, tree::root(), 0.1);
  grow(t, a, 0.6);
  grow(t, a, 0.6);
  CHECK(descend(t, uct_exploration).value().value == b.value);
  CHECK(descend(t, 0.0).value().value == a.value); // a has room for one more
}

TEST_CASE("an expansion that was dropped as a whole is tried again") {
  const auto options = with(strategy::mcts, 3, 3, 3);
  tree t = evaluated_root(0.5, limits_of(options));
  for (std::uint32_t draw = 0; draw < 3; ++draw)
    t.add_child(tree::root(), hash_of(0), 1);
  const auto again = select_expansion(t, options);
  REQUIRE(again);
  CHECK(again->node.value == tree::root().value);
  CHECK(again->candidates == 3);
  CHECK(again->first_draw == 3); // other draws than before
}

TEST_CASE("unvisited children come first, ties by node id") {
  tree t = evaluated_root(0.3, {3, 3});
  grow(t, tree::root(), 1.0);
  const auto second = t.add_child(tree::root(), hash_of(1), 1);
  t.add_child(tree::root(), hash_of(2), 1);
  CHECK(descend(t, uct_exploration) == second.id);
  tree equal = evaluated_root(0.3, {3, 3});
  const node_id first = grow(equal, tree::root(), 0.5);
  grow(equal, tree::root(), 0.5);
  grow(equal, tree::root(), 0.5);
  CHECK(descend(equal, uct_exploration) == first);
}

TEST_CASE("a subtree with nothing to expand is not entered") {
  tree t = evaluated_root(0.3, {2, 2});
  const node_id best = grow(t, tree::root(), 1.0);
  const node_id other = grow(t, tree::root(), 0.0);
  grow(t, best, 1.0);
  grow(t, best, 1.0); // best is full and its children are at the depth limit
  CHECK(descend(t, 0.0) == other);
}

TEST_CASE("an expansion draws what the width leaves") {
  const auto options = with(strategy::mcts, 3, 10, 3);
  tree t = evaluated_root(0.5, limits_of(options));
  std::vector<std::uint32_t> sizes;
  for (;;) {
    const auto next = select_expansion(t, options);
    REQUIRE(next);
    if (next->node != tree::root()) break;
    CHECK(next->first_draw == t.at(tree::root()).drawn);
    sizes.push_back(next->candidates);
    for (std::uint32_t j = 0; j < next->candidates; ++j)
      grow(t, tree::root(), 0.5);
  }
  CHECK(sizes == std::vector<std::uint32_t>{3, 3, 3, 1});
  for (const auto h : {std::uint32_t{7}, search_options::fill_width}) {
    const auto wide = with(strategy::mcts, h, 4, 3);
    tree u = evaluated_root(0.5, limits_of(wide));
    CHECK(select_expansion(u, wide)->candidates == 4);
    grow(u, tree::root(), 0.5);
    CHECK(select_expansion(u, wide)->candidates == 3); // what is left
  }
  const auto path = with(strategy::iterative, search_options::fill_width, 4, 3);
  const tree u = evaluated_root(0.5, limits_of(path));
  CHECK(select_expansion(u, path)->candidates == 1);
}

TEST_CASE("budget 0 leaves the root, budget 1 expands it") {
  const auto how =
      GENERATE(strategy::mcts, strategy::greedy, strategy::iterative);
  const auto options = with(how, 3, 3, 3);
  const auto half = [](node_id, std::uint32_t) { return 0.5; };
  tree none = evaluated_root(0.5, limits_of(options));
  CHECK(run(none, options, 0, half).empty());
  CHECK(none.best() == tree::root());
  tree one = evaluated_root(0.5, limits_of(options));
  CHECK(run(one, options, 1, half) == std::vector<node_id>{tree::root()});
  CHECK(one.size() == (how == strategy::iterative ? 2 : 4));
}

TEST_CASE("a tree that is used up says so") {
  const auto options = with(strategy::mcts, 3, 3, 3);
  tree t = evaluated_root(0.5, limits_of(options));
  const auto chosen =
      run(t, options, 100, [](node_id, std::uint32_t) { return 0.5; });
  CHECK(chosen.size() == 13); // 1 + 3 + 9 expandable nodes
  CHECK(t.size() == 40);
  CHECK_FALSE(select_expansion(t, options));
  CHECK_FALSE(descend(t, uct_exploration));
}

TEST_CASE("exploration is scaled to the rewards of the tree if asked") {
  // The same tree with rewards in [0, 1] and in a tenth of that: scaled, both
  // select the same nodes, and unscaled the second explores breadth first.
  const auto selected = [](double unit, bool by_range) {
    auto options = with(strategy::mcts, 2, 2, 8);
    options.exploration = 0.5;
    options.exploration_by_range = by_range;
    rng draw{rng_key(7, "range")};
    tree t = evaluated_root(0.5 * unit, limits_of(options));
    return run(t, options, 12,
               [&](node_id, std::uint32_t) { return unit * draw.uniform(); });
  };
  CHECK(selected(1, true) == selected(0.125, true));
  CHECK(selected(1, false) != selected(0.125, false));
}

TEST_CASE("rewards that are all the same leave the exploration as it is") {
  auto options = with(strategy::mcts, 2, 2, 8);
  const auto selected = [&](bool by_range) {
    options.exploration_by_range = by_range;
    tree t = evaluated_root(0.5, limits_of(options));
    return run(t, options, 12, [](node_id, std::uint32_t) { return 0.5; });
  };
  CHECK(selected(true) == selected(false));
}

TEST_CASE("greedy stays inside the best node's subtree while it can grow") {
  const auto options = with(strategy::greedy, 2, 2, 3);
  tree t = evaluated_root(0.5, limits_of(options));
  const node_id best = grow(t, tree::root(), 0.9);
  grow(t, tree::root(), 0.6);
  CHECK(select_expansion(t, options)->node == best);
  const node_id low = grow(t, best, 0.1);
  const node_id high = grow(t, best, 0.2); // worse than `best`, but below it
  CHECK(select_expansion(t, options)->node == high);
  grow(t, high, 0.0);
  grow(t, high, 0.0);
  CHECK(select_expansion(t, options)->node == low);
  grow(t, low, 0.0);
  grow(t, low, 0.0);
  CHECK(select_expansion(t, options)->node == node_id{2}); // that of 0.6
}

TEST_CASE("greedy starts at the root even before it is evaluated") {
  const auto options = with(strategy::greedy, 2, 2, 3);
  const tree t{hash_of(0), limits_of(options)};
  CHECK(select_expansion(t, options)->node == tree::root());
}

TEST_CASE("iterative refines the newest version, one path, past max_depth") {
  auto options = with(strategy::iterative, 3, 3, 3);
  const auto falling = [](node_id, std::uint32_t) { return 0.1; };
  tree t = evaluated_root(0.5, limits_of(options));
  const auto chosen = run(t, options, 10, falling);
  CHECK(chosen.size() == 10);
  CHECK(t.nodes().back().depth == 10);
  CHECK(t.best() == tree::root());
  options.iterative_keeps_depth = true;
  tree bounded = evaluated_root(0.5, limits_of(options));
  CHECK(run(bounded, options, 10, falling).size() == 3);
}

TEST_CASE("without selection the newest evaluated version is the best one") {
  auto options = with(strategy::iterative, 3, 3, 3);
  options.publish_newest = true;
  tree t = evaluated_root(0.5, limits_of(options));
  run(t, options, 4, [](node_id, std::uint32_t) { return 0.1; });
  CHECK(t.best() == t.nodes().back().id);
  t.add_child(*t.best(), hash_of(99), 5); // not evaluated yet
  CHECK(t.best() != t.nodes().back().id);
}

TEST_CASE("iterative tries a refinement that changed nothing again") {
  const auto options = with(strategy::iterative, 3, 3, 3);
  tree t = evaluated_root(0.5, limits_of(options));
  for (std::uint32_t i = 0; i < 5; ++i) {
    const auto next = select_expansion(t, options);
    REQUIRE(next);
    CHECK(next->node == tree::root());
    CHECK(next->first_draw == i); // another draw each time
    t.add_child(tree::root(), hash_of(0), 1);
  }
}

TEST_CASE("random searches respect width, depth and budget") {
  const auto how = GENERATE(strategy::mcts, strategy::greedy);
  const auto seed = GENERATE(range(1, 31));
  INFO(to_string(how) << " seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "search")};
  const auto options = with(how, static_cast<std::uint32_t>(1 + draw.below(4)),
                            static_cast<std::uint32_t>(1 + draw.below(5)),
                            static_cast<std::uint32_t>(1 + draw.below(4)));
  tree t = evaluated_root(draw.uniform(), limits_of(options));
  run(t, options, 30, [&](node_id, std::uint32_t) { return draw.uniform(); });
  for (const auto& item : t.nodes()) {
    CHECK(item.children.size() <= options.max_width);
    CHECK(item.depth <= options.max_depth);
  }
  CHECK(select_expansion(t, options).has_value() == t.at({0}).open);
}

TEST_CASE("mcts spends its budget on the better branch and finds the best") {
  // A bandit behind two doors: below child 1 rewards are near 0.7, below child
  // 2 near 0.3, though child 2 itself looks better at first sight.
  const auto seed = GENERATE(range(1, 21));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "bandit")};
  auto options = with(strategy::mcts, 1, 2, 8);
  const bool ucb1 = GENERATE(true, false);
  if (ucb1) {
    options.exploration = uct_exploration;
    options.exploration_by_range = false;
  }
  tree t = evaluated_root(0.5, limits_of(options));
  const node_id better = grow(t, tree::root(), 0.45);
  const node_id worse = grow(t, tree::root(), 0.55);
  std::vector<bool> good{true, true, false};
  run(t, options, 100, [&](node_id parent, std::uint32_t) {
    good.push_back(good[parent.value]);
    return (good[parent.value] ? 0.65 : 0.25) + 0.1 * draw.uniform();
  });
  CHECK(t.at(better).visits > 2 * t.at(worse).visits);
  // And still looks at the other one, with our constant only if in doubt.
  CHECK(t.at(worse).visits > (ucb1 ? 5 : 1));
  CHECK(good[t.best()->value]);
}
