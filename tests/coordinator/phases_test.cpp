#include "coordinator/phases.hpp"
#include "tests/fixtures/stub_work.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

const std::vector<std::string> topics{"fan", "bill"};

struct driver {
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  brew_phases phases;
  explicit driver(const brew_settings& settings = stub_settings(),
                  std::vector<gather_record> recorded = {})
      : phases{std::make_shared<const brew_settings>(settings), documents,
               std::move(recorded)} {}

  /// Answers these jobs in an order the seed decides, each twice; the last
  /// step that asked for something.
  phase_step answer(std::vector<job> jobs, std::uint64_t seed = 0) {
    rng draw{rng_key(seed, "order")};
    if (seed != 0) draw.shuffle(jobs);
    phase_step last;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      CHECK(phases.waiting_for() == jobs.size() - i);
      last = phases.on(stub_work(jobs[i], topics));
      const auto again = phases.on(stub_work(jobs[i], topics));
      CHECK(again.jobs.empty());
      CHECK_FALSE(again.expand);
    }
    return last;
  }

  /// From the initial rollouts to the order of iteration 0.
  phase_step make_roots(std::uint64_t seed = 0) {
    auto step = answer(phases.begin().jobs, seed);
    REQUIRE(phases.phase() == search_phase::embedding);
    step = answer(step.jobs, seed);
    REQUIRE(phases.phase() == search_phase::roots);
    return answer(step.jobs, seed);
  }

  expand_report report(std::uint32_t concept_index, std::uint32_t iteration) {
    expand_report out;
    out.concept_ref = {concept_index};
    out.iteration = iteration;
    out.best.hash = {"doc " + std::to_string(concept_index) + "/"
                     + std::to_string(iteration)};
    return out;
  }
};

} // namespace

TEST_CASE("a search begins with every train task once and no knowledge") {
  driver d;
  const auto step = d.phases.begin();
  CHECK(d.phases.phase() == search_phase::initial_rollouts);
  REQUIRE(step.jobs.size() == 4);
  std::set<task_id> tasks;
  for (const auto& item : step.jobs) {
    CHECK(std::get<rollout_job>(item.input).knowledge.empty());
    CHECK(std::get<rollout_job>(item.input).reflect);
    tasks.insert(std::get<rollout_job>(item.input).task);
  }
  CHECK(tasks.size() == 4);
  auto settings = stub_settings();
  settings.learner.initial_trials = 3;
  CHECK(driver{settings}.phases.begin().jobs.size() == 12);
}

TEST_CASE("roots are planted one per concept, then iteration 0 is ordered") {
  driver d;
  const auto step = d.make_roots();
  CHECK(d.phases.phase() == search_phase::expanding);
  REQUIRE_FALSE(step.trees.empty());
  REQUIRE(step.expand);
  CHECK(step.expand->iteration == 0);
  CHECK(step.expand->current == d.phases.current());
  REQUIRE(d.phases.current().size() == step.trees.size());
  for (std::size_t k = 0; k < step.trees.size(); ++k) {
    CHECK(step.trees[k].about.record == d.phases.concepts()[k]);
    CHECK(step.trees[k].about.record.id == concept_id{std::uint32_t(k)});
    CHECK(step.trees[k].root == d.phases.current()[k].hash);
    CHECK(d.documents->find(step.trees[k].root) != nullptr);
    CHECK_FALSE(step.trees[k].evidence.empty());
  }
}

TEST_CASE("the order of initial results changes no concept and no root") {
  driver first;
  const auto expected = first.make_roots();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    INFO("seed " << seed);
    driver d;
    const auto step = d.make_roots(seed);
    CHECK(step.expand == expected.expand);
    CHECK(d.phases.concepts() == first.phases.concepts());
    CHECK(d.phases.initial_success() == first.phases.initial_success());
    REQUIRE(step.trees.size() == expected.trees.size());
    for (std::size_t k = 0; k < step.trees.size(); ++k)
      CHECK(step.trees[k].about.insights->list()
            == expected.trees[k].about.insights->list());
  }
}

TEST_CASE("the barrier closes when every tree has reported, in any order") {
  driver d;
  const auto trees = static_cast<std::uint32_t>(d.make_roots().trees.size());
  REQUIRE(trees >= 2);
  for (std::uint32_t iteration = 0; iteration <= 3; ++iteration) {
    CHECK(d.phases.iteration() == iteration);
    phase_step step;
    for (std::uint32_t k = trees; k-- > 0;) {
      CHECK(d.phases.waiting_for() == k + 1);
      step = d.phases.on(d.report(k, iteration));
      if (k > 0) {
        CHECK_FALSE(step.gathered);
        // Reported twice, or for another iteration: nothing.
        CHECK_FALSE(d.phases.on(d.report(k, iteration)).gathered);
        CHECK_FALSE(d.phases.on(d.report(0, iteration + 1)).gathered);
      }
    }
    REQUIRE(step.gathered);
    CHECK(step.gathered->iteration == iteration);
    REQUIRE(step.gathered->reports.size() == trees);
    for (std::uint32_t k = 0; k < trees; ++k) {
      CHECK(step.gathered->reports[k].concept_ref == concept_id{k});
      CHECK(step.gathered->current[k].hash == d.report(k, iteration).best.hash);
    }
    CHECK(d.phases.current() == step.gathered->current);
    CHECK(step.finished == (iteration == 3));
    CHECK(step.expand.has_value() == (iteration < 3));
    if (step.expand) CHECK(step.expand->current == d.phases.current());
  }
  CHECK(d.phases.phase() == search_phase::finished);
  CHECK_FALSE(d.phases.on(d.report(0, 3)).gathered);
}

TEST_CASE("with a quorum the orders go to the trees that are in time") {
  auto settings = stub_settings();
  settings.learner.gather_quorum = 0.5;
  driver d{settings};
  const auto planted = d.make_roots();
  REQUIRE(planted.ready == std::vector<concept_id>{{0}, {1}});
  CHECK(d.phases.waiting_for() == 1);
  const auto closed = d.phases.on(d.report(0, 0));
  REQUIRE(closed.gathered);
  CHECK(closed.gathered->late == std::vector<concept_id>{{1}});
  CHECK(closed.gathered->current[1] == planted.expand->current[1]);
  REQUIRE(closed.expand);
  CHECK(closed.expand->iteration == 1);
  CHECK(closed.ready == std::vector<concept_id>{{0}});
  CHECK_FALSE(closed.catch_up);
  // The late tree then gets the order that the other has had.
  const auto caught_up = d.phases.on(d.report(1, 0));
  CHECK(caught_up.catch_up == closed.expand);
  CHECK(caught_up.late_tree == concept_id{1});
  CHECK_FALSE(caught_up.gathered);
  CHECK_FALSE(caught_up.expand);
}

TEST_CASE("one report may both catch a tree up and close the barrier") {
  auto settings = stub_settings();
  settings.learner.gather_quorum = 0.5;
  driver d{settings};
  d.make_roots();
  const auto first = d.phases.on(d.report(0, 0));
  CHECK_FALSE(d.phases.on(d.report(0, 1)).gathered); // tree 1 is behind
  const auto both = d.phases.on(d.report(1, 0));
  CHECK(both.catch_up == first.expand);
  REQUIRE(both.gathered);
  CHECK(both.gathered->iteration == 1);
  CHECK(both.gathered->folded == std::vector{d.report(1, 0)});
  CHECK(both.gathered->late == std::vector<concept_id>{{1}});
  REQUIRE(both.expand);
  CHECK(both.expand->iteration == 2);
  CHECK(both.ready == std::vector<concept_id>{{0}});
}

TEST_CASE("a search that follows a record orders what the record led to") {
  gather_record known;
  known.late = {{0}};
  auto settings = stub_settings();
  settings.learner.gather_quorum = 0.5;
  driver d{settings, {known}};
  d.make_roots();
  CHECK_FALSE(d.phases.on(d.report(0, 0)).gathered); // early, this time
  const auto closed = d.phases.on(d.report(1, 0));
  REQUIRE(closed.gathered);
  CHECK(closed.gathered->late == known.late);
  // Tree 0 has done iteration 0 already, so it need not catch up.
  CHECK(closed.ready == std::vector<concept_id>{{0}, {1}});
  CHECK_FALSE(closed.catch_up);
}

TEST_CASE("an embedder that answers nonsense fails the search with why") {
  driver d;
  const auto step = d.answer(d.phases.begin().jobs);
  auto answer = stub_work(step.jobs.front(), topics);
  std::get<embed_result>(answer.output).vectors.pop_back();
  const auto failed = d.phases.on(answer);
  REQUIRE(failed.failed);
  CHECK(failed.failed->code == ec::malformed);
  CHECK(d.phases.phase() == search_phase::failed);
}

TEST_CASE("every phase has a name for people") {
  std::set<std::string_view> names;
  for (const auto phase :
       {search_phase::initial_rollouts, search_phase::embedding,
        search_phase::roots, search_phase::expanding, search_phase::finished,
        search_phase::failed})
    CHECK(names.insert(to_string(phase)).second);
}
