#include "search/settled_choice.hpp"
#include "tests/search/support.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace brewery;
using namespace brewery::test;

namespace {

search_options drawn_options(rng& draw) {
  search_options out;
  out.how = static_cast<strategy>(draw.below(3));
  out.candidates = 1 + static_cast<std::uint32_t>(draw.below(3));
  out.expansions = 1 + static_cast<std::uint32_t>(draw.below(3));
  out.max_width = 2 + static_cast<std::uint32_t>(draw.below(3));
  out.max_depth = 2 + static_cast<std::uint32_t>(draw.below(3));
  out.exploration_by_range = draw.below(2) == 0;
  out.exploration = draw.below(2) == 0 ? 0.25 : 1.4;
  return out;
}

/// A tree twice: as it would be without bounds, and with some nodes stopped.
struct twins {
  tree full, known;
  std::map<node_id, evaluation> rest; ///< what stopped evaluations would bring

  twins(rng& draw, tree_limits limits)
      : full(random_shape(draw, 2 + draw.below(14), limits)), known(full) {
    const bool coarse = draw.below(2) == 0; // ties are common
    for (const auto& item : full.nodes()) {
      const double reward =
          coarse ? static_cast<double>(draw.below(4)) / 4 : draw.uniform();
      if (item.id != tree::root() && draw.below(12) == 0) continue; // unscored
      rest[item.id] = scored(reward);
    }
    for (const auto& [id, measured] : rest)
      full.absorb(id, measured);
    const double most = full.at(*full.best()).reward;
    for (auto it = rest.begin(); it != rest.end();) {
      const bool stops = it->first != tree::root() && it->first != full.best()
                         && draw.below(3) > 0;
      evaluation shown = it->second;
      if (stops) {
        shown.least = it->second.reward * draw.uniform();
        shown.reward += (most - it->second.reward) * draw.uniform();
      }
      known.absorb(it->first, shown);
      it = stops ? std::next(it) : rest.erase(it);
    }
  }
};

} // namespace

TEST_CASE("a choice with bounds is the one that full evaluations would make") {
  std::size_t stopped = 0, taken_up = 0, choices = 0;
  for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
    INFO("seed " << seed);
    rng draw{rng_key(seed, "settled")};
    const auto options = drawn_options(draw);
    twins t{draw, limits_of(options)};
    stopped += t.rest.size();
    const auto expected = select_expansions(t.full, options);
    for (;;) {
      const auto made = select_settled(t.known, options);
      if (made.open.empty()) {
        REQUIRE(made.chosen == expected);
        for (const auto& one : made.chosen)
          CHECK_FALSE(t.known.at(one.node).bounded());
        break;
      }
      CHECK(made.chosen.empty());
      for (const auto id : made.open) {
        REQUIRE(t.rest.contains(id)); // so it comes to an end
        REQUIRE(t.known.absorb(id, t.rest.at(id)));
        t.rest.erase(id);
        ++taken_up;
      }
    }
    ++choices;
  }
  INFO(taken_up << " of " << stopped << " were taken up in " << choices);
  CHECK(taken_up * 2 < stopped);
}

TEST_CASE("only what a choice hangs on is taken up") {
  search_options options;
  options.max_width = 3;
  tree t = evaluated_root(0.3, limits_of(options));
  const node_id good = grow(t, tree::root(), 0.9);
  const node_id poor = t.add_child(tree::root(), hash_of(1), 1).id;
  const node_id near = t.add_child(tree::root(), hash_of(2), 1).id;
  const auto stop = [&](node_id id, double least, double most) {
    auto bound = scored(most);
    bound.least = least;
    t.absorb(id, bound);
  };
  stop(poor, 0.31, 0.5);
  stop(near, 0.31, 0.6);
  const auto first = select_settled(t, options);
  REQUIRE(first.open.empty());
  REQUIRE(first.chosen.size() == 1);
  CHECK(first.chosen[0].node == good);
  // Its children were worse, so that others are worth a look.
  for (int i = 0; i < 3; ++i)
    grow(t, good, 0.32);
  CHECK(select_settled(t, options).open == std::vector<node_id>{near});
  stop(near, 0.55, 0.6); // more is known, but not all
  CHECK(select_settled(t, options).open == std::vector<node_id>{near});
  t.absorb(near, scored(0.6));
  const auto last = select_settled(t, options);
  REQUIRE(last.chosen.size() == 1);
  CHECK(last.chosen[0].node == near);
}

TEST_CASE("greedy and iterative take up the node that they expand") {
  for (const auto how : {strategy::greedy, strategy::iterative}) {
    search_options options;
    options.how = how;
    options.max_depth = 1;
    options.iterative_keeps_depth = false;
    tree t = evaluated_root(0.3, limits_of(options));
    const node_id only = t.add_child(tree::root(), hash_of(1), 1).id;
    auto bound = scored(0.3);
    bound.least = 0.1;
    t.absorb(only, bound);
    const auto made = select_settled(t, options);
    if (how == strategy::iterative)
      CHECK(made.open == std::vector<node_id>{only});
    else
      CHECK(made.open.empty()); // the root is the best, and can grow
  }
}
