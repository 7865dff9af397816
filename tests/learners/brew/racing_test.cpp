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

namespace {

/// The tasks of the first wave of each new version, by iteration.
std::vector<std::vector<std::set<task_id>>>
first_waves(const brew_settings& settings, std::uint64_t seed) {
  scored_search run{settings, {seed, luck}};
  std::vector<std::vector<std::set<task_id>>> out;
  std::set<doc_hash> known;
  std::size_t looked_at = 0;
  for (std::uint32_t i = 0; i <= 4; ++i) {
    run.run(0, i, i);
    std::map<doc_hash, std::set<task_id>> first;
    for (; looked_at < run.scored.size(); ++looked_at) {
      const auto& work = run.scored[looked_at];
      const auto& version = work.knowledge.at(0).hash;
      auto& tasks = first[version];
      if (!known.contains(version) && tasks.size() < settings.economy.wave)
        tasks.insert(work.task);
    }
    auto& waves = out.emplace_back();
    for (auto& [version, tasks] : first)
      if (known.insert(version).second) waves.push_back(std::move(tasks));
  }
  return out;
}

} // namespace

TEST_CASE("a race plays tasks in a random order, the same for all who run it") {
  auto settings = racing(0.1);
  settings.eval_choice.trials = 1;
  std::set<std::set<task_id>> orders;
  const auto waves = first_waves(settings, 3);
  for (std::size_t i = 1; i < waves.size(); ++i) {
    REQUIRE(waves[i].size() > 1);
    for (const auto& tasks : waves[i])
      CHECK(tasks == waves[i].front());
    orders.insert(waves[i].front());
  }
  CHECK(orders.size() == waves.size() - 1); // another in each iteration
  // The same in every search: what is hard does not decide.
  const auto other = first_waves(settings, 4);
  for (std::size_t i = 1; i < waves.size(); ++i)
    CHECK(other[i].front() == waves[i].front());
}

TEST_CASE("a loser's grade is the winner's less their mean difference") {
  std::size_t paired = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    INFO("seed " << seed);
    auto settings = racing(0.2);
    settings.learner.tree.expansions = 2;
    scored_search run{settings, {seed, luck}};
    run.run(0, 0, 1);
    run.iterate(2);
    const auto& nodes = run.b.search.nodes();
    // By version and query, what was played of it.
    std::map<doc_hash, std::map<std::string, double>> played;
    for (const auto& work : run.scored)
      played[work.knowledge.at(0).hash]
            [work.task.value + ' ' + std::to_string(work.trial)] =
                run.grade_of(work);
    for (const auto& item : nodes.nodes()) {
      if (!item.raced()) continue;
      const node* winner = nullptr;
      for (const auto& one : nodes.nodes())
        if (one.parent == item.parent && one.iteration == item.iteration
            && one.id != item.id && one.evaluated() && !one.raced()
            && (winner == nullptr || one.reward > winner->reward))
          winner = &one;
      REQUIRE(winner != nullptr);
      double behind = 0;
      const auto& own = played.at(item.hash);
      for (const auto& [query, grade] : own)
        behind += played.at(winner->hash).at(query) - grade;
      CHECK(item.correctness
            == Approx(
                std::max(0.0, winner->correctness
                                  - behind / static_cast<double>(own.size()))));
      CHECK(behind > 0);
      ++paired;
    }
  }
  CHECK(paired > 3);
}

TEST_CASE("with a race odd orders and repeated results change nothing") {
  const bool bounds = GENERATE(false, true);
  auto settings = racing(0.3, bounds);
  settings.learner.tree.how = GENERATE(strategy::mcts, strategy::greedy);
  settings.learner.tree.expansions = 2;
  settings.economy.confirm = 1;
  settings.economy.wave = 5; // a task's trials are cut in two
  settings.eval_choice.trials = 2;
  std::uint64_t raced = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    scored_search first{settings, {seed, luck}};
    first.run();
    raced += first.counts.of(economy::raced);
    for (std::uint64_t order = 1; order <= 1; ++order) {
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
  auto settings = racing(0.1, true);
  settings.economy.confirm = 1;
  std::uint64_t seed = 1;
  for (; seed < 10; ++seed) {
    scored_search tried{settings, {seed, luck}};
    tried.run();
    if (tried.counts.of(economy::raced) > 0) break;
  }
  scored_search whole{settings, {seed, luck}};
  whole.run();
  REQUIRE(whole.counts.of(economy::raced) > 0);
  for (std::uint32_t cut = 0; cut < scored_search::iterations; ++cut) {
    INFO("restarted after iteration " << cut);
    scored_search first{settings, {seed, luck}};
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
