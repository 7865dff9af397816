/// Several expansions in one iteration, chosen with virtual loss.

#include "search/uct.hpp"
#include "tests/search/support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>

using namespace brewery;
using namespace brewery::test;

namespace {

search_options with(strategy how, std::uint32_t h, std::uint32_t expansions) {
  search_options out;
  out.how = how;
  out.candidates = h;
  out.expansions = expansions;
  return out;
}

/// A tree of random shape, in which most nodes are evaluated.
tree random_tree(std::uint64_t seed, tree_limits limits) {
  rng draw{rng_key(seed, "expansions")};
  tree out = random_shape(draw, 1 + draw.below(25), limits);
  for (std::uint32_t id = 0; id < out.size(); ++id)
    if (draw.below(5) > 0) out.absorb({id}, scored(draw.uniform()));
  return out;
}

std::vector<node_id> nodes_of(const std::vector<expansion>& chosen) {
  std::vector<node_id> out;
  for (const auto& one : chosen)
    out.push_back(one.node);
  return out;
}

std::vector<node_id> expandable(const tree& searched) {
  std::vector<node_id> out;
  for (const auto& item : searched.nodes())
    if (searched.can_expand(item.id)) out.push_back(item.id);
  return out;
}

bool by_number(node_id a, node_id b) {
  return a.value < b.value;
}

/// The descent with what the tree has, and no virtual loss.
std::optional<node_id> plain_descent(const tree& searched, double c) {
  if (!searched.at(tree::root()).open) return std::nullopt;
  node_id id = tree::root();
  while (!searched.can_expand(id)) {
    const auto& parent = searched.at(id);
    const double log_visits = std::log(std::max(1.0, 1.0 * parent.visits));
    std::optional<std::pair<double, node_id>> best;
    for (const auto child : parent.children) {
      const auto& item = searched.at(child);
      if (!item.open) continue;
      const double bound = uct(item.value(), item.visits, log_visits, c);
      if (!best || bound > best->first) best = {bound, child};
    }
    id = best.value().second;
  }
  return id;
}

} // namespace

TEST_CASE("a chosen expansion counts as scored with the lowest reward") {
  tree t = evaluated_root(0.5, {3, 3});
  const auto a = grow(t, tree::root(), 0.6);
  const auto b = grow(t, tree::root(), 0.2);
  grow(t, tree::root(), 0.1); // the lowest
  const auto below = grow(t, a, 0.8);
  virtual_loss seen{t};
  CHECK(seen.visits(a) == 2);
  CHECK(seen.value(a) == Approx(0.7));
  seen.add({a, 2, 1});
  CHECK(seen.visits(a) == 4);
  CHECK(seen.value(a) == Approx((0.6 + 0.8 + 2 * 0.1) / 4));
  CHECK(seen.drawn(a) == 3);
  CHECK(seen.room(a) == 0);
  CHECK(seen.open(a)); // for what is below it
  CHECK(seen.visits(tree::root()) == 7);
  CHECK(seen.value(tree::root()) == Approx((2.2 + 2 * 0.1) / 7));
  CHECK(seen.drawn(tree::root()) == 3);
  CHECK(seen.visits(b) == 1);
  CHECK(seen.value(b) == 0.2);
  CHECK(seen.room(b) == 3);
  seen.add({below, 3, 0});
  CHECK_FALSE(seen.open(below));
  CHECK_FALSE(seen.open(a));
  CHECK(seen.open(tree::root()));
  CHECK(seen.visits(a) == 7);
  CHECK(seen.visits(tree::root()) == 10);
  // Of this the tree itself knows nothing.
  CHECK(t.at(a).visits == 2);
  CHECK(t.room(a) == 2);
  CHECK(t.at(a).open);
}

TEST_CASE("without a reward the lowest one is 0") {
  tree t{hash_of(0), {3, 3}};
  virtual_loss seen{t};
  seen.add({tree::root(), 2, 0});
  CHECK(seen.visits(tree::root()) == 2);
  CHECK(seen.value(tree::root()) == 0);
}

TEST_CASE("virtual losses spread the choices of an iteration") {
  // By hand, c = 1: a's bound is 0.9 + sqrt(ln 4) = 2.08. Then b's, with
  // 0.8 + sqrt(ln 5) = 2.07, is above a's (0.9 + 0.1)/2 + sqrt(ln 5 / 2)
  // = 1.40. Then a's 0.5 + sqrt(ln 6 / 2) = 1.446 is just above c's 0.1 +
  // sqrt(ln 6) = 1.439 and b's 0.45 + sqrt(ln 6 / 2) = 1.40.
  auto options = with(strategy::mcts, 1, 3);
  options.exploration = 1;
  options.exploration_by_range = false;
  tree t = evaluated_root(0.5, limits_of(options));
  const auto a = grow(t, tree::root(), 0.9);
  const auto b = grow(t, tree::root(), 0.8);
  const auto c = grow(t, tree::root(), 0.1);
  CHECK(select_expansions(t, options)
        == std::vector<expansion>{{a, 1, 0}, {b, 1, 0}, {a, 1, 1}});
  // N = 7: c's 0.1 + sqrt(ln 7) = 1.49, b's 0.45 + sqrt(ln 7 / 2) = 1.44, a's
  // (0.9 + 2 * 0.1) / 3 + sqrt(ln 7 / 3) = 1.17.
  options.expansions = 4;
  CHECK(select_expansions(t, options).back() == expansion{c, 1, 0});
}

TEST_CASE("a node with room for more is chosen again, with later draws") {
  auto options = with(strategy::mcts, 3, 6);
  options.max_width = 10;
  tree t = evaluated_root(0.5, limits_of(options));
  CHECK(select_expansions(t, options)
        == std::vector<expansion>{{tree::root(), 3, 0},
                                  {tree::root(), 3, 3},
                                  {tree::root(), 3, 6},
                                  {tree::root(), 1, 9}});
}

TEST_CASE("greedy takes the best node, then the next best") {
  const auto options = with(strategy::greedy, 3, 3);
  tree t = evaluated_root(0.5, limits_of(options));
  const auto good = grow(t, tree::root(), 0.7);
  const auto poor = grow(t, tree::root(), 0.2);
  const auto best = grow(t, tree::root(), 0.9);
  CHECK(nodes_of(select_expansions(t, options))
        == std::vector<node_id>{best, good, poor});
}

TEST_CASE("iterative is a chain, so it has one expansion") {
  const auto options = with(strategy::iterative, 3, 5);
  tree t = evaluated_root(0.5, limits_of(options));
  const auto newest = grow(t, tree::root(), 0.1);
  CHECK(select_expansions(t, options)
        == std::vector<expansion>{{newest, 1, 0}});
}

TEST_CASE("a tree without room has no expansions") {
  auto options = with(GENERATE(strategy::mcts, strategy::greedy), 3, 4);
  options.max_depth = 1;
  tree t = evaluated_root(0.5, limits_of(options));
  for (int i = 0; i < 3; ++i)
    grow(t, tree::root(), 0.5);
  CHECK(select_expansions(t, options).empty());
}

TEST_CASE("the first choice is that of the descent, and more only follow") {
  const auto how =
      GENERATE(strategy::mcts, strategy::greedy, strategy::iterative);
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    INFO(to_string(how) << " seed " << seed);
    auto options = with(how, 2, 1);
    const tree t = random_tree(seed, limits_of(options));
    auto before = select_expansions(t, options);
    if (how == strategy::mcts) {
      options.exploration_by_range = false;
      const auto plain = plain_descent(t, options.exploration);
      const auto chosen = select_expansion(t, options);
      CHECK((chosen ? std::optional{chosen->node} : std::nullopt) == plain);
      options.exploration_by_range = true;
    }
    for (options.expansions = 2; options.expansions < 8; ++options.expansions) {
      auto more = select_expansions(t, options);
      REQUIRE(more.size() >= before.size());
      CHECK(std::equal(before.begin(), before.end(), more.begin()));
      before = std::move(more);
    }
  }
}

TEST_CASE("the choices of an iteration keep to every node's width") {
  const auto how = GENERATE(strategy::mcts, strategy::greedy);
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    INFO(to_string(how) << " seed " << seed);
    auto options = with(how, 1 + seed % 4, 1 + seed % 9);
    options.max_width = 4;
    const tree t = random_tree(seed, limits_of(options));
    std::map<std::uint32_t, std::uint32_t> drawn;
    for (const auto& one : select_expansions(t, options)) {
      CHECK(one.candidates >= 1);
      CHECK(one.candidates <= options.candidates);
      auto& already = drawn[one.node.value];
      CHECK(one.first_draw == t.at(one.node).drawn + already);
      already += one.candidates;
      CHECK(already <= t.room(one.node));
    }
  }
}

TEST_CASE("with as many expansions as open nodes all are chosen, once") {
  const auto how = GENERATE(strategy::mcts, strategy::greedy);
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    INFO(to_string(how) << " seed " << seed);
    auto options = with(how, search_options::fill_width, 1);
    const tree t = random_tree(seed, limits_of(options));
    const auto open = expandable(t);
    for (const std::size_t more : {0, 5}) {
      options.expansions = static_cast<std::uint32_t>(open.size() + more);
      auto chosen = nodes_of(select_expansions(t, options));
      std::ranges::sort(chosen, by_number);
      CHECK(chosen == open);
    }
  }
}

TEST_CASE("what is seen is the tree with candidates of the lowest reward") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    auto options = with(strategy::mcts, 2, 4);
    const tree t = random_tree(seed, limits_of(options));
    double lowest = 2;
    for (const auto& item : t.nodes())
      if (item.evaluated()) lowest = std::min(lowest, item.reward);
    virtual_loss seen{t};
    tree scored_so = t;
    for (const auto& one : select_expansions(t, options)) {
      seen.add(one);
      for (std::uint32_t i = 0; i < one.candidates; ++i)
        grow(scored_so, one.node, lowest > 1 ? 0 : lowest);
    }
    for (const auto& item : t.nodes()) {
      const auto& as_if = scored_so.at(item.id);
      CHECK(seen.visits(item.id) == as_if.visits);
      CHECK(seen.value(item.id) == Approx(as_if.value()));
      CHECK(seen.drawn(item.id) == as_if.drawn);
      CHECK(seen.room(item.id) == scored_so.room(item.id));
    }
  }
}

TEST_CASE("once it is scored an iteration leaves plain accounting") {
  const auto how = GENERATE(strategy::mcts, strategy::greedy);
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    INFO(to_string(how) << " seed " << seed);
    rng draw{rng_key(seed, "plain")};
    const auto options = with(how, 1 + seed % 3, 1 + seed % 5);
    tree t = evaluated_root(draw.uniform(), limits_of(options));
    for (std::uint32_t iteration = 1; iteration <= 6; ++iteration)
      for (const auto& one : select_expansions(t, options))
        for (std::uint32_t i = 0; i < one.candidates; ++i)
          grow(t, one.node, draw.uniform());
    const auto plain = tree::restored(t.nodes(), t.limits());
    REQUIRE(plain);
    REQUIRE(plain->size() == t.size());
    for (const auto& item : t.nodes()) {
      const auto& other = plain->at(item.id);
      CHECK(item.visits == other.visits);
      CHECK(item.total == other.total); // to the bit
      CHECK(item.drawn == other.drawn);
      CHECK(item.children == other.children);
      CHECK(item.open == other.open);
    }
  }
}
