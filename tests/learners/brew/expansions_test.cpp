/// Several expansions of a tree in one iteration.

#include "search/report.hpp"
#include "tests/learners/brew/support.hpp"

#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

brew_settings several(std::uint32_t expansions) {
  auto out = stub_settings();
  out.learner.tree.expansions = expansions;
  return out;
}

/// The jobs of an iteration in the order in which they were asked for.
struct asked {
  std::vector<job> training, integrations, evaluations;
  std::optional<expand_report> report;
};

asked iterate(bench& b, std::uint32_t iteration) {
  asked out;
  std::vector<job> open;
  const auto take = [&](const search_step& step) {
    open.insert(open.end(), step.jobs.begin(), step.jobs.end());
    if (step.report) out.report = step.report;
  };
  take(b.search.start({iteration, b.current}));
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto item = open[i];
    const auto* rollout = std::get_if<rollout_job>(&item.input);
    auto& stage = !rollout           ? out.integrations
                  : rollout->reflect ? out.training
                                     : out.evaluations;
    stage.push_back(item);
    take(b.search.on(bench::work(item)));
  }
  REQUIRE(out.report);
  return out;
}

const integrate_job& integration(const job& item) {
  return std::get<integrate_job>(item.input);
}

} // namespace

TEST_CASE("several expansions share one round of training") {
  bench b{several(3)};
  b.iterate(0);
  b.iterate(1); // only the root can be expanded
  REQUIRE(b.search.nodes().size() == 4);
  const auto scores = records_of(b.search.nodes());
  const auto made = iterate(b, 2);
  CHECK(made.training.size() == 4); // the train tasks, once
  REQUIRE(made.integrations.size() == 9);
  std::map<doc_hash, std::set<std::uint32_t>> draws;
  std::set<job_id> ids;
  const auto& insights = integration(made.integrations[0]).insights;
  for (const auto& item : made.integrations) {
    const auto& work = integration(item);
    draws[work.parent].insert(work.draw);
    ids.insert(work.id);
    CHECK(work.insights == insights); // all parents are of iteration 1
    const auto& parent = scores[b.search.nodes().find(work.parent)->value];
    CHECK(work.parent_score.reward == parent.reward);
  }
  CHECK(ids.size() == 9);
  REQUIRE(draws.size() == 3);
  for (const auto& [parent, numbers] : draws)
    CHECK(numbers == std::set<std::uint32_t>{0, 1, 2});
  CHECK(made.evaluations.size() == 9 * 3);
  CHECK(made.report->added == 9);
  for (std::uint32_t id = 1; id <= 3; ++id)
    CHECK(b.search.nodes().at({id}).children.size() == 3);
}

TEST_CASE("all candidates of an iteration are evaluated side by side") {
  bench b{several(3)};
  b.iterate(0);
  b.iterate(1);
  std::vector<job> open = b.search.start({2, b.current}).jobs, next;
  const auto answer_all = [&] {
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto step = b.search.on(bench::work(open[i]));
      // Candidates are scored as they are written.
      if (i + 1 < open.size() && kind_of(open[i]) != job_kind::integrate)
        CHECK(step.jobs.empty());
      next.insert(next.end(), step.jobs.begin(), step.jobs.end());
    }
    open = std::exchange(next, {});
  };
  answer_all();
  CHECK(open.size() == 9); // integrations
  answer_all();
  CHECK(open.size() == 27);
  const auto before = records_of(b.search.nodes());
  REQUIRE(before.size() == 13);
  for (std::size_t id = 4; id < before.size(); ++id)
    CHECK(before[id].evaluated == 0);
  answer_all();
  CHECK(open.empty());
  for (const auto& node : records_of(b.search.nodes()))
    CHECK(node.evaluated == 3);
}

TEST_CASE("expansions of one node draw different candidates within its width") {
  auto settings = several(5);
  settings.learner.tree.max_width = 8;
  bench b{settings};
  b.iterate(0);
  const auto made = iterate(b, 1);
  std::vector<std::uint32_t> draws;
  for (const auto& item : made.integrations) {
    CHECK(integration(item).parent == b.root);
    draws.push_back(integration(item).draw);
  }
  CHECK(draws == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(b.search.nodes().at(tree::root()).drawn == 8);
}

TEST_CASE("one expansion fills a node of any width if asked") {
  auto settings = stub_settings();
  settings.learner.tree.max_width = 10;
  settings.learner.tree.candidates = search_options::fill_width;
  bench b{settings};
  b.iterate(0);
  CHECK(b.iterate(1).added == 10);
}

TEST_CASE("the strategy iterative has one expansion in an iteration") {
  auto settings = several(3);
  settings.learner.tree.how = strategy::iterative;
  bench b{settings};
  b.iterate(0);
  for (std::uint32_t iteration = 1; iteration <= 3; ++iteration)
    CHECK(iterate(b, iteration).integrations.size() == 1);
}

TEST_CASE("an iteration that is cut off anywhere is replayed to the same end") {
  bench whole{several(3)};
  for (std::uint32_t iteration = 0; iteration <= 3; ++iteration)
    whole.iterate(iteration);
  const auto expected = records_of(whole.search.nodes());
  bench first{several(3)};
  for (std::uint32_t iteration = 0; iteration <= 2; ++iteration)
    first.iterate(iteration);
  const auto saved = first.search.saved();
  auto growth = first.search.take_growth();
  for (auto& nothing : first.search.take_growth()) // a gather without news
    growth.push_back(std::move(nothing));
  // Answered jobs of the iteration in the middle of which it is cut off.
  const auto jobs = iterate(first, 3);
  const auto all =
      jobs.training.size() + jobs.integrations.size() + jobs.evaluations.size();
  REQUIRE(jobs.integrations.size() == 9);
  for (std::size_t answered = 0; answered < all; ++answered) {
    INFO("cut off after " << answered << " of " << all << " jobs");
    bench cut{several(3)};
    for (std::uint32_t iteration = 0; iteration <= 2; ++iteration)
      cut.iterate(iteration);
    std::map<job_id, job_result> log;
    auto open = cut.search.start({3, cut.current}).jobs;
    for (std::size_t i = 0; i < answered; ++i) {
      log.emplace(open[i].id, bench::work(open[i]));
      const auto step = cut.search.on(log.at(open[i].id));
      open.insert(open.end(), step.jobs.begin(), step.jobs.end());
    }
    // Until there are candidates the tree has no trace of what was chosen.
    if (answered < jobs.training.size() + jobs.integrations.size())
      CHECK(cut.search.saved() == saved);
    auto documents = std::make_shared<document_store>();
    documents->add(cut.documents->find(cut.other)->body);
    auto again = concept_search::restored(
        std::make_shared<const brew_settings>(several(3)), saved, nullptr,
        documents);
    REQUIRE(again);
    for (const auto& part : growth)
      REQUIRE(again->absorb(part));
    std::vector<job> asked = again->start({3, cut.current}).jobs;
    std::size_t from_log = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto known = log.find(asked[i].id);
      from_log += known != log.end();
      const auto step =
          again->on(known == log.end() ? bench::work(asked[i]) : known->second);
      asked.insert(asked.end(), step.jobs.begin(), step.jobs.end());
    }
    CHECK(from_log == answered);
    CHECK(records_of(again->nodes()) == expected);
    CHECK(again->saved() == whole.search.saved());
  }
}
