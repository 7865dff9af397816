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

  explicit writing_tree(const brew_settings& settings = stub_settings())
      : b(settings) {
    b.iterate(0);
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
  writing_tree tree{in_waves_of(4)};
  const auto first = tree.give(tree.writes[0]);
  REQUIRE(first.size() == 4);
  for (const auto& item : first)
    CHECK(tree.give(item).empty());
  const auto second = tree.give(tree.writes[1]);
  REQUIRE(second.size() == 4);
  const auto third = tree.give(tree.writes[2]);
  CHECK(documents_of(third).size() == 1);
  REQUIRE(third.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(tree.give(second[i]).empty());
    CHECK(tree.give(third[i]).empty() == (i < 3));
  }
}

TEST_CASE("a search says what waits for its jobs") {
  const auto stages = [](const std::vector<job>& jobs) {
    std::set<std::uint32_t> out;
    for (const auto& item : jobs)
      out.insert(item.stages_after);
    return out;
  };
  using only = std::set<std::uint32_t>;
  writing_tree whole;
  CHECK(stages(whole.trained) == only{3});
  CHECK(stages(whole.writes) == only{1});
  CHECK(stages(whole.give(whole.writes[0])) == only{0});
  // Three waves of 4: two more wait for the first.
  writing_tree waves{in_waves_of(4)};
  CHECK(stages(waves.trained) == only{5});
  CHECK(stages(waves.writes) == only{3});
  CHECK(stages(waves.give(waves.writes[0])) == only{2});
}
