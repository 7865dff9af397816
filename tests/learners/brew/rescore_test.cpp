/// Scores that are taken again after the neighbours' documents changed.

#include "tests/learners/brew/scored_search.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

economy_options rescoring(bool bounds, std::uint32_t confirm = 0) {
  economy_options out;
  out.bounds = bounds;
  out.wave = 2;
  out.confirm = confirm;
  out.rescore = true;
  return out;
}

constexpr double shared = 0.6; ///< what neighbours decide

} // namespace

TEST_CASE("the published score is one beside the neighbours of now") {
  std::uint64_t again = 0, left = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    const auto settings = scored_settings(rescoring(false));
    const auto trials = settings.eval_choice.trials;
    scored_search run{settings, {seed, 1, shared}};
    for (std::uint32_t i = 0; i <= scored_search::iterations; ++i) {
      run.run(0, i, i);
      const auto& best = run.reports.back().best;
      CHECK(best.reward
            == run.reward_of(best.hash, run.beside.back(), 0, trials));
      CHECK(best.evaluated == run.b.search.about().eval_tasks.size() * trials);
      double total = 0;
      for (const auto& version : run.b.search.nodes().nodes()) {
        CHECK(version.reward <= best.reward);
        CHECK(version.evaluations.size() == 1); // replaced, not averaged
        total += version.reward;
      }
      const auto& root = run.b.search.nodes().at(tree::root());
      CHECK(root.total == Approx(total));
      CHECK(root.visits == run.b.search.nodes().size());
    }
    again += run.counts.of(economy::rescored);
    left += run.b.search.nodes().size();
    CHECK(run.counts.of(economy::asked) + run.counts.of(economy::rescored)
          == run.scored.size());
  }
  CHECK(again > 0);
  // Far fewer than all versions at each change of the neighbours.
  CHECK(again < 12 * left * 2);
}

TEST_CASE("nothing is scored again as long as no neighbour changed") {
  scored_search run{scored_settings(rescoring(false)), {3}};
  run.run();
  CHECK(run.counts.of(economy::rescored) == 0);
  scored_search plain{scored_settings({.bounds = false, .confirm = 0}), {3}};
  plain.run();
  CHECK(run.published() == plain.published());
  CHECK(run.written == plain.written);
  CHECK(run.scored.size() == plain.scored.size());
}

TEST_CASE("bounds change nothing of what is scored again") {
  const auto how =
      GENERATE(strategy::mcts, strategy::greedy, strategy::iterative);
  const std::uint32_t confirm = GENERATE(0u, 2u);
  std::uint64_t before = 0, now = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO(to_string(how) << ", seed " << seed << ", confirm " << confirm);
    scored_search all{scored_settings(rescoring(false, confirm), how),
                      {seed, 1, shared}};
    all.run();
    scored_search some{scored_settings(rescoring(true, confirm), how),
                       {seed, 1, shared}};
    some.run();
    CHECK(some.written == all.written);
    CHECK(some.published() == all.published());
    CHECK(some.counts.of(economy::rescored)
          == all.counts.of(economy::rescored));
    before += all.scored.size();
    now += some.scored.size();
  }
  if (how != strategy::iterative) CHECK(now < before);
}

TEST_CASE("with new scores odd orders and repeated results change nothing") {
  const auto settings = scored_settings(rescoring(true, 2));
  scored_search first{settings, {5, 1, shared}};
  first.run();
  REQUIRE(first.counts.of(economy::rescored) > 0);
  for (std::uint64_t order = 1; order <= 10; ++order) {
    scored_search other{settings, {5, 1, shared}};
    other.run(order);
    CHECK(other.published() == first.published());
    CHECK(other.b.search.saved() == first.b.search.saved());
  }
}

TEST_CASE("a search with new scores goes on alike after a restart") {
  const auto settings = scored_settings(rescoring(true, 2));
  scored_search whole{settings, {5, 1, shared}};
  whole.run();
  for (std::uint32_t cut = 0; cut < scored_search::iterations; ++cut) {
    INFO("restarted after iteration " << cut);
    scored_search first{settings, {5, 1, shared}};
    first.run(0, 0, cut);
    auto second = first.restarted(settings);
    second.run(0, cut + 1);
    CHECK(second.b.search.saved() == whole.b.search.saved());
  }
}
