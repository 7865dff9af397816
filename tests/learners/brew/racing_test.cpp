/// Candidates that race: what stops, what it leaves, and what goes on alike.

#include "tests/learners/brew/scored_search.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// Many trials of tasks whose grades say much: so that races end early.
brew_settings racing(double error, bool bounds = false) {
  auto out = scored_settings(
      {.bounds = bounds, .wave = 8, .racing = error, .confirm = 0});
  out.eval = stub_tasks("eval", 40);
  out.eval_choice.max_per_concept = 40;
  out.eval_choice.min_per_concept = 40;
  return out;
}

constexpr double luck = 0.8;

} // namespace

TEST_CASE("in an expansion the others play as without a race") {
  std::uint64_t raced = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    scored_search all{racing(0), {seed, luck}};
    all.run(0, 0, 1);
    scored_search some{racing(0.1), {seed, luck}};
    some.run(0, 0, 1);
    CHECK(some.written == all.written);
    CHECK(some.scored.size() + some.counts.of(economy::raced)
          == all.scored.size());
    CHECK(some.counts.of(economy::asked) == some.scored.size());
    raced += some.counts.of(economy::raced);
    const auto& nodes = some.b.search.nodes();
    for (const auto& full : all.b.search.nodes().nodes()) {
      const auto& item = nodes.at(full.id);
      CHECK(item.hash == full.hash);
      if (item.raced())
        CHECK(item.reward <= nodes.at(*nodes.best()).reward);
      else
        CHECK(item.reward == full.reward);
    }
  }
  CHECK(raced > 0);
}

TEST_CASE("a version that lost a race is marked and never published") {
  std::size_t marked = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto settings = racing(0.2);
    scored_search run{settings, {seed, luck}};
    run.run();
    const auto queries =
        run.b.search.about().eval_tasks.size() * settings.eval_choice.trials;
    std::set<node_id> lost;
    for (const auto& item : records_of(run.b.search.nodes())) {
      CHECK(item.least.empty());
      CHECK((item.evaluated < queries) == !item.raced.empty());
      if (item.raced.empty()) continue;
      CHECK(item.raced == std::vector{0.2});
      lost.insert(item.id);
    }
    for (const auto& report : run.reports)
      CHECK_FALSE(lost.contains(report.best.id));
    marked += lost.size();
  }
  CHECK(marked > 0);
}

TEST_CASE("with a race odd orders and repeated results change nothing") {
  const bool bounds = GENERATE(false, true);
  const auto settings = racing(0.3, bounds);
  std::uint64_t raced = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    scored_search first{settings, {seed, luck}};
    first.run();
    raced += first.counts.of(economy::raced);
    for (std::uint64_t order = 1; order <= 3; ++order) {
      INFO("seed " << seed << ", order " << order);
      scored_search other{settings, {seed, luck}};
      other.run(order);
      CHECK(other.published() == first.published());
      CHECK(other.b.search.saved() == first.b.search.saved());
    }
  }
  INFO(raced << " left out" << (bounds ? " beside bounds" : ""));
  CHECK(raced > 0);
}

TEST_CASE("a search with races goes on alike after a restart") {
  const auto settings = racing(0.1);
  scored_search whole{settings, {2, luck}};
  whole.run();
  REQUIRE(whole.counts.of(economy::raced) > 0);
  for (std::uint32_t cut = 0; cut < scored_search::iterations; ++cut) {
    INFO("restarted after iteration " << cut);
    scored_search first{settings, {2, luck}};
    first.run(0, 0, cut);
    auto second = first.restarted(settings);
    second.run(0, cut + 1);
    CHECK(second.b.search.saved() == whole.b.search.saved());
  }
}

TEST_CASE("nothing races where nothing is selected") {
  auto settings = racing(0.2);
  settings.learner.tree.how = strategy::iterative;
  scored_search run{settings, {1, luck}};
  run.run();
  CHECK(run.counts.of(economy::raced) == 0);
  CHECK(run.counts.list().size() == 1);
}
