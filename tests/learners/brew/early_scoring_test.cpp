/// Candidates that are scored while others of their iteration are written.

#include "search/report.hpp"
#include "tests/learners/brew/support.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// A tree that waits for the documents of its first iteration.
struct writing_tree {
  bench b;
  std::vector<job> trained, embedded, writes;
  std::optional<expand_report> report{};

  explicit writing_tree(const brew_settings& settings = stub_settings(),
                        bool root_fails = false)
      : b(settings) {
    if (root_fails)
      for (const auto& item : b.search.start({0, b.current}).jobs)
        fail(item);
    else
      b.iterate(0);
    report.reset();
    trained = b.search.start({1, b.current}).jobs;
    for (const auto& item : trained)
      for (auto& made : give(item))
        (kind_of(made) == job_kind::embed ? embedded : writes).push_back(made);
    for (const auto& item : embedded)
      writes = give(item);
    REQUIRE(writes.size() == 3);
  }

  std::vector<job> on(const job_result& answer) {
    auto step = b.search.on(answer);
    if (step.report) report = step.report;
    return std::move(step.jobs);
  }
  std::vector<job> give(const job& done) { return on(bench::work(done)); }
  std::vector<job> give(const job& done, double reward) {
    auto answer = bench::work(done);
    std::get<rollout_result>(answer.output).grade.reward = reward;
    return on(answer);
  }
  std::vector<job> fail(const job& done) { return give(done, 0); }
  std::vector<job> solve(const job& done) { return give(done, 1); }

  /// This document, whoever wrote it.
  std::vector<job> write(const job& asked, const std::string& body) {
    auto answer = bench::work(asked);
    std::get<integrate_result>(answer.output).body = body;
    return on(answer);
  }

  void end(std::vector<job> open) {
    while (!open.empty()) {
      const auto next = open.back();
      open.pop_back();
      for (auto& made : give(next))
        open.push_back(std::move(made));
    }
  }
};

brew_settings in_waves_of(std::uint32_t wave) {
  auto out = stub_settings();
  out.economy = {.bounds = true, .wave = wave, .confirm = 0};
  out.eval = stub_tasks("eval", 12);
  out.learner.tree.weights = {0.8, 0.2};
  out.asks_with_task = true;
  return out;
}

/// Grades alone decide, and the root beats nobody.
writing_tree tree_in_waves_of(std::uint32_t wave) {
  auto how = in_waves_of(wave);
  how.learner.tree.weights = {1, 0};
  return writing_tree{how, true};
}

std::set<doc_hash> documents_of(const std::vector<job>& jobs) {
  std::set<doc_hash> out;
  for (const auto& item : jobs)
    out.insert(std::get<rollout_job>(item.input).knowledge.at(0).hash);
  return out;
}

} // namespace

TEST_CASE("a candidate is scored while others are written") {
  writing_tree tree;
  const auto early = tree.give(tree.writes[1]);
  CHECK(early.size() == 3);
  CHECK(documents_of(early).size() == 1);
  CHECK(tree.b.search.nodes().size() == 1); // its number is not known yet
  tree.give(early[0]);
  tree.give(early[0]); // twice
  auto open = tree.give(tree.writes[0]);
  CHECK(open.size() == 3);
  for (auto& made : tree.give(tree.writes[2]))
    open.push_back(std::move(made));
  CHECK(open.size() == 6);
  CHECK(tree.b.search.nodes().size() == 4);
  open.push_back(early[1]);
  open.push_back(early[2]);
  tree.end(std::move(open));
  REQUIRE(tree.report);

  bench in_order;
  in_order.iterate(0);
  CHECK(*tree.report == in_order.iterate(1));
  CHECK(records_of(tree.b.search.nodes())
        == records_of(in_order.search.nodes()));
}

TEST_CASE("all that is scored may be scored before the last is written") {
  writing_tree tree;
  for (const auto* which : {&tree.writes[2], &tree.writes[0]})
    for (const auto& item : tree.give(*which))
      CHECK(tree.give(item).empty());
  // The last one is no other than the first.
  const auto same =
      std::get<integrate_result>(bench::work(tree.writes[0]).output).body;
  CHECK(tree.write(tree.writes[1], same).empty());
  REQUIRE(tree.report);
  CHECK(tree.report->added == 2);
  CHECK(tree.report->dropped == 1);
}

TEST_CASE("a known version is not scored again") {
  writing_tree tree;
  const auto known = tree.b.documents->find(tree.b.root)->body;
  CHECK(tree.write(tree.writes[0], known).empty());
  CHECK(tree.write(tree.writes[1], "# Fan\n\nanother\n").size() == 3);
  CHECK(tree.write(tree.writes[2], "# Fan\n\nanother\n").empty());
  CHECK(tree.b.search.nodes().size() == 2);
}

TEST_CASE("before all are written a candidate has its first wave only") {
  auto tree = tree_in_waves_of(7);
  const auto first = tree.give(tree.writes[0]);
  REQUIRE(first.size() == 7);
  for (const auto& item : first)
    CHECK(tree.fail(item).empty());
  const auto second = tree.give(tree.writes[1]);
  REQUIRE(second.size() == 7);
  // The first can solve 5 of 12 and the others 7 by the next look, so it waits.
  const auto third = tree.give(tree.writes[2]);
  CHECK(documents_of(third).size() == 1);
  REQUIRE(third.size() == 7);
  for (const auto& item : second)
    CHECK(tree.fail(item).empty());
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(tree.solve(third[i]).empty());
  const auto next = tree.solve(third[6]);
  CHECK(next.size() == 5);
  CHECK(documents_of(next) == documents_of(third)); // the others are beaten
}

TEST_CASE("a candidate that no sibling can beat does not wait for theirs") {
  auto tree = tree_in_waves_of(7);
  const auto first = tree.give(tree.writes[0]);
  for (std::size_t i = 0; i < 7; ++i)
    CHECK(tree.give(first[i], i < 2 ? 1 : 0).empty());
  const auto second = tree.give(tree.writes[1]);
  const auto third = tree.give(tree.writes[2]);
  // With 2 solved it may reach 7 of 12, which is all that the others can have.
  REQUIRE(third.size() == 7 + 5);
  for (const auto& item : second)
    CHECK(tree.fail(item).empty());
  std::vector<job> open;
  for (const auto& item : third) {
    const bool is_ahead = documents_of({item}) == documents_of(first);
    const auto made = is_ahead ? tree.solve(item) : tree.fail(item);
    open.insert(open.end(), made.begin(), made.end());
  }
  // At the look what came ahead is not known: 2 solved, and the others may
  // still have 5.
  CHECK(open.size() == 5 + 5);
  CHECK(documents_of(open).size() == 2);
  CHECK_FALSE(documents_of(open).contains(*documents_of(first).begin()));
}

TEST_CASE("who races waits for the others' wave") {
  auto how = in_waves_of(4);
  how.economy.racing = 0.1;
  writing_tree tree{how, true};
  const auto first = tree.give(tree.writes[0]);
  for (const auto& item : first)
    CHECK(tree.solve(item).empty());
  CHECK(tree.give(tree.writes[1]).size() == 4);
  CHECK(tree.give(tree.writes[2]).size() == 4); // none of the first one
}

TEST_CASE("a rollout of a wave says which tasks come in the next ones") {
  const auto tasks_of = [](const std::vector<job>& jobs) {
    std::vector<task_id> out;
    for (const auto& item : jobs)
      out.push_back(std::get<rollout_job>(item.input).task);
    return out;
  };
  writing_tree whole;
  for (const auto& item : whole.give(whole.writes[0]))
    CHECK(item.then == nullptr);
  auto tree = tree_in_waves_of(5);
  const auto first = tree.give(tree.writes[0]);
  const auto waves = *first.at(0).then;
  REQUIRE(waves.size() == 2);
  CHECK(waves[0].size() == 5);
  CHECK(waves[1].size() == 2);
  for (const auto& item : first) {
    CHECK(item.then == first[0].then); // made once
    CHECK(item.stages_after == 0);
  }
  for (const auto& item : first)
    tree.solve(item);
  tree.give(tree.writes[1]);
  std::vector<job> second;
  for (auto& made : tree.give(tree.writes[2]))
    if (documents_of({made}) == documents_of(first))
      second.push_back(std::move(made));
  CHECK(tasks_of(second) == waves[0]);
  CHECK(*second.at(0).then == task_waves{waves[1]});
}
