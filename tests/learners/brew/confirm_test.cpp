/// Best versions that are confirmed on fresh trials before they are published.

#include "tests/learners/brew/scored_search.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

constexpr std::uint32_t fresh = 3;

economy_options confirming(bool bounds = false, std::uint32_t trials = fresh) {
  economy_options out;
  out.bounds = bounds;
  out.wave = 2;
  out.confirm = trials;
  return out;
}

} // namespace

TEST_CASE("a published version was not worse on fresh trials") {
  std::size_t accepted = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    const auto settings = scored_settings(confirming());
    const auto trials = settings.eval_choice.trials;
    scored_search run{settings, {seed}};
    run.run();
    auto incumbent = tree::root();
    for (const auto& report : run.reports) {
      for (const auto& version : records_of(run.b.search.nodes()))
        for (const auto& made : version.challenges) {
          if (made.iteration != report.iteration) continue;
          const auto& held = run.b.search.nodes().at(incumbent);
          CHECK(made.incumbent == incumbent);
          CHECK(version.reward >= held.reward);
          const auto own =
              run.reward_of(version.hash, run.beside[0], trials, fresh);
          const auto other =
              run.reward_of(held.hash, run.beside[0], trials, fresh);
          CHECK(made.reward == std::vector{own});
          CHECK(made.against == std::vector{other});
          ++(own >= other ? accepted : refused);
          if (own >= other) incumbent = version.id;
        }
      CHECK(report.best.id == incumbent);
    }
    CHECK(run.b.search.published() == incumbent);
  }
  CHECK(accepted > 5);
  CHECK(refused > 5);
}

TEST_CASE("both play the same fresh trials, and no challenge is paid twice") {
  const auto settings = scored_settings(confirming());
  scored_search run{settings, {4}};
  run.run();
  std::map<doc_hash, std::set<std::pair<task_id, std::uint32_t>>> played;
  std::set<job_id> jobs;
  std::size_t confirmations = 0;
  for (const auto& work : run.scored) {
    const bool is_fresh = work.trial >= settings.eval_choice.trials;
    if (is_fresh) {
      ++confirmations;
      played[work.knowledge[0].hash].insert({work.task, work.trial});
    } else {
      CHECK(jobs.insert(work.id).second);
    }
  }
  CHECK(run.counts.of(economy::confirmed) == confirmations);
  CHECK(run.counts.of(economy::asked) + confirmations == run.scored.size());
  for (const auto& [version, trials] : played)
    CHECK(trials == played.begin()->second);
  for (const auto& version : records_of(run.b.search.nodes()))
    CHECK(version.challenges.size() <= 1);
}

TEST_CASE("without confirmation the best score is published, as before") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    scored_search run{scored_settings(confirming(false, 0)), {seed}};
    run.run();
    CHECK(run.counts.of(economy::asked) == run.scored.size());
    CHECK(run.counts.list().size() == 1);
    for (const auto& report : run.reports)
      CHECK(report.best.challenges.empty());
    CHECK(run.b.search.published() == run.b.search.nodes().best());
  }
}

TEST_CASE("bounds change nothing of what is confirmed and published") {
  const auto how =
      GENERATE(strategy::mcts, strategy::greedy, strategy::iterative);
  const std::uint32_t expansions = GENERATE(1u, 2u);
  std::uint64_t before = 0, now = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO(to_string(how) << ", seed " << seed);
    auto settings = scored_settings(confirming(), how);
    settings.learner.tree.expansions = expansions;
    scored_search all{settings, {seed}};
    all.run();
    settings.economy.bounds = true;
    scored_search some{settings, {seed}};
    some.run();
    CHECK(some.written == all.written);
    CHECK(some.published() == all.published());
    CHECK(some.counts.of(economy::confirmed)
          == all.counts.of(economy::confirmed));
    before += all.scored.size();
    now += some.scored.size();
  }
  if (how != strategy::iterative) CHECK(now < before);
}

TEST_CASE("with confirmation odd orders and repeated results change nothing") {
  const auto settings = scored_settings(confirming(true));
  scored_search first{settings, {2}};
  first.run();
  REQUIRE(first.counts.of(economy::confirmed) > 0);
  for (std::uint64_t order = 1; order <= 10; ++order) {
    scored_search other{settings, {2}};
    other.run(order);
    CHECK(other.published() == first.published());
    CHECK(other.b.search.saved() == first.b.search.saved());
  }
}

TEST_CASE("a search goes on alike after a restart between challenges") {
  const auto settings = scored_settings(confirming(true));
  scored_search whole{settings, {2}};
  whole.run();
  for (std::uint32_t cut = 0; cut < scored_search::iterations; ++cut) {
    INFO("restarted after iteration " << cut);
    scored_search first{settings, {2}};
    first.run(0, 0, cut);
    auto second = first.restarted(settings);
    CHECK(second.b.search.published() == first.b.search.published());
    second.run(0, cut + 1);
    CHECK(second.b.search.saved() == whole.b.search.saved());
  }
}

TEST_CASE("a snapshot without its published version is damaged") {
  const auto settings = scored_settings(confirming());
  scored_search run{settings, {2}};
  run.run();
  const auto damaged = [&](const saved_tree& saved) {
    const auto again = concept_search::restored(
        std::make_shared<const brew_settings>(settings), saved, nullptr,
        run.b.documents);
    return !again && again.error().code == ec::corrupt;
  };
  auto saved = run.b.search.saved();
  CHECK_FALSE(damaged(saved));
  saved.published = {static_cast<std::uint32_t>(saved.nodes.size())};
  CHECK(damaged(saved));
  saved = run.b.search.saved();
  saved.nodes[1].challenges = {{saved.published, 1, {}, {}}};
  saved.nodes[1].challenges[0].incumbent = {1'000};
  CHECK(damaged(saved));
}

TEST_CASE("where luck decides scores, what is confirmed is better") {
  double with = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto able = [&](std::uint32_t trials) {
      scored_search run{scored_settings(confirming(false, trials)), {seed}};
      run.run();
      return run.able(run.reports.back().best.hash, run.beside[0]);
    };
    without += able(0);
    with += able(8);
  }
  INFO(with / 60 << " with, " << without / 60 << " without");
  CHECK(with > without);
}
