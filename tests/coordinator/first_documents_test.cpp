/// From the initial rollouts to the first documents, one answer at a time.

#include "cluster/job_spec.hpp"
#include "coordinator/phases.hpp"
#include "tests/fixtures/stub_work.hpp"
#include "tests/fixtures/text.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

const std::vector<std::string> two_topics{"fan", "bill"};

rollout_result& rollout_of(job_result& answer) {
  return std::get<rollout_result>(answer.output);
}
const rollout_job& rollout_of(const job& item) {
  return std::get<rollout_job>(item.input);
}
const integrate_job& integrate_of(const job& item) {
  return std::get<integrate_job>(item.input);
}
/// What is said of a job that was given up.
job_result given_up(const job& item) {
  job_result out;
  out.id = item.id;
  out.error = "3 failures";
  return out;
}

struct beginning {
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  brew_phases phases;

  explicit beginning(const brew_settings& settings = stub_settings())
      : phases{std::make_shared<const brew_settings>(settings), documents} {}

  phase_step answer(const std::vector<job>& jobs) {
    phase_step last;
    for (const auto& item : jobs)
      last = phases.on(stub_work(item, two_topics));
    return last;
  }
};

} // namespace

TEST_CASE("before the first documents there is no knowledge base") {
  beginning s;
  CHECK(s.phases.current().empty());
  CHECK(s.phases.iteration() == 0);
  CHECK(s.phases.reported() == 0);
  const auto initial = s.phases.begin();
  CHECK(s.phases.current().empty());
  const auto embedding = s.answer(initial.jobs);
  CHECK(s.phases.waiting_for() == 1);
  const auto roots = s.answer(embedding.jobs);
  CHECK(s.phases.waiting_for() == roots.jobs.size());
  CHECK(s.phases.concepts().size() == roots.jobs.size());
  CHECK(s.phases.current().empty());
}

TEST_CASE("every initial trial of a train task has its number") {
  auto settings = stub_settings();
  settings.learner.initial_trials = 3;
  beginning s{settings};
  std::map<task_id, std::set<std::uint32_t>> trials;
  for (const auto& item : s.phases.begin().jobs)
    trials[rollout_of(item).task].insert(rollout_of(item).trial);
  CHECK(trials.size() == 4);
  for (const auto& [task, numbers] : trials)
    CHECK(numbers == std::set<std::uint32_t>{0, 1, 2});
}

TEST_CASE("a train task that is named twice is tried once") {
  auto settings = stub_settings();
  settings.train.insert(settings.train.begin(), settings.train.front());
  beginning s{settings};
  CHECK(s.phases.begin().jobs.size() == 4);
}

TEST_CASE("initial success is the mean grade of the graded rollouts") {
  beginning s;
  const auto jobs = s.phases.begin().jobs;
  REQUIRE(jobs.size() == 4);
  CHECK(s.phases.initial_success() == 0);
  const double rewards[] = {1, 0.5, 0.25, 1};
  phase_step last;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto answer = stub_work(jobs[i], two_topics);
    rollout_of(answer).grade.reward = rewards[i];
    if (i == 0) rollout_of(answer).outcome = rollout_outcome::environment_error;
    last = s.phases.on(answer);
  }
  CHECK(s.phases.initial_success() == Approx(1.75 / 3));
  REQUIRE(last.jobs.size() == 1);
  CHECK(s.phases.phase() == search_phase::embedding);
}

TEST_CASE("an environment is blamed only for what it broke") {
  const auto failure = [](std::size_t broken, std::size_t tasks = 4) {
    auto settings = stub_settings();
    settings.train.resize(tasks);
    beginning s{settings};
    const auto jobs = s.phases.begin().jobs;
    phase_step last;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      auto answer = quarantine_verdict(jobs[i], "3 failures");
      if (i >= tasks - broken) {
        answer = stub_work(jobs[i], two_topics);
        rollout_of(answer).outcome = rollout_outcome::environment_error;
        rollout_of(answer).error =
            to_string(error{ec::environment, "it broke"});
      }
      last = s.phases.on(answer);
    }
    REQUIRE(last.failed);
    return *last.failed;
  };
  CHECK(failure(0).code == ec::exhausted);
  CHECK(contains(failure(0).message, "all 4 initial rollouts were given up"));
  CHECK_FALSE(contains(failure(0).message, "environment"));
  CHECK(failure(4).code == ec::environment);
  CHECK(failure(4).message
        == "the environment broke in all 4 initial rollouts; the first said: "
           "it broke");
  // Each is quoted for what happened to it.
  CHECK(failure(1).message
        == "of 4 initial rollouts, the environment broke in 1 and 3 were given "
           "up; the first that broke said: it broke; the first given up: 3 "
           "failures");
  CHECK(contains(failure(3).message, "broke in 3 and 1 was given up"));
  CHECK(contains(failure(1, 1).message,
                 "the environment broke in the only initial rollout; "));
  CHECK(contains(failure(0, 1).message,
                 "the only initial rollout was given up; "));
}

TEST_CASE("a first document is asked for from the concept's insights alone") {
  auto settings = stub_settings();
  settings.seed = 9;
  beginning s{settings};
  const auto roots = s.answer(s.answer(s.phases.begin().jobs).jobs);
  REQUIRE(roots.jobs.size() == 2);
  for (std::size_t k = 0; k < roots.jobs.size(); ++k) {
    const auto& work = integrate_of(roots.jobs[k]);
    CHECK(work.id == identity(work, ""));
    CHECK(roots.jobs[k].id == work.id);
    CHECK(work.concept_ref == s.phases.concepts()[k].id);
    CHECK(work.title == s.phases.concepts()[k].title);
    CHECK(work.parent == doc_hash{});
    CHECK(work.seed == 9);
    REQUIRE(work.insights.size() == 4); // one per train task
    for (const auto& counted : work.insights)
      CHECK(s.phases.concepts()[k].topics
            == std::vector<std::string>{counted.item->topic});
  }
}

TEST_CASE("a search whose insights cannot be embedded fails and says why") {
  beginning s;
  const auto embedding = s.answer(s.phases.begin().jobs);
  const auto failed = s.phases.on(given_up(embedding.jobs.front()));
  REQUIRE(failed.failed);
  CHECK(failed.failed->code == ec::exhausted);
  CHECK(failed.failed->message
        == "the insights could not be embedded: 3 failures");
  CHECK(s.phases.phase() == search_phase::failed);
}

TEST_CASE("a concept without a first document drops out, the others go on") {
  for (const std::size_t lost : {0, 1}) {
    beginning s;
    const auto roots = s.answer(s.answer(s.phases.begin().jobs).jobs);
    REQUIRE(roots.jobs.size() == 2);
    const auto left = 1 - lost;
    const auto title = integrate_of(roots.jobs[lost]).title;
    CHECK(s.phases
              .on(lost == 0 ? given_up(roots.jobs[0])
                            : stub_work(roots.jobs[0], two_topics))
              .trees.empty());
    const auto planted =
        s.phases.on(lost == 1 ? quarantine_verdict(roots.jobs[1], "3 failures")
                              : stub_work(roots.jobs[1], two_topics));
    REQUIRE_FALSE(planted.failed);
    const auto id = concept_id{static_cast<std::uint32_t>(left)};
    REQUIRE(planted.trees.size() == 1);
    CHECK(planted.trees[0].about.record.id == id);
    CHECK(planted.ready == std::vector<concept_id>{id});
    REQUIRE(planted.dropped.size() == 1);
    CHECK(planted.dropped[0].id.value == lost);
    CHECK(planted.dropped[0].title == title);
    CHECK(planted.dropped[0].reason == "3 failures");
    CHECK(s.phases.dropped() == planted.dropped);
    CHECK(s.phases.concepts().size() == 1);
    REQUIRE(planted.expand);
    REQUIRE(planted.expand->current.size() == 1);
    CHECK(planted.expand->current[0].concept_ref == id);
    // The barrier waits for the one tree that there is.
    CHECK(s.phases.waiting_for() == 1);
    expand_report report;
    report.concept_ref = id;
    report.best.hash = planted.trees[0].root;
    CHECK(s.phases.on(report).gathered);
  }
}

TEST_CASE("a search without any first document fails and says why") {
  beginning s;
  const auto roots = s.answer(s.answer(s.phases.begin().jobs).jobs);
  CHECK_FALSE(s.phases.on(given_up(roots.jobs[0])).failed);
  const auto failed = s.phases.on(given_up(roots.jobs[1]));
  REQUIRE(failed.failed);
  CHECK(failed.failed->code == ec::exhausted);
  CHECK(failed.failed->message
        == "no first document could be written, for 2 concepts; the first "
           "reason: 3 failures");
  // Nothing goes on after that.
  expand_report report;
  CHECK_FALSE(s.phases.on(report).gathered);
}

TEST_CASE("without any insight, a reflector without usable replies is named") {
  const auto message = [](bool lost) {
    beginning s;
    phase_step last;
    for (const auto& item : s.phases.begin().jobs) {
      auto answer = stub_work(item, two_topics);
      rollout_of(answer).insights = {};
      if (lost)
        rollout_of(answer).notes = {
            {"judge", std::string{reply_trouble::cut}, 1, "j"},
            {"reflector", std::string{reply_trouble::rejected}, 1,
             "it was cut"}};
      last = s.phases.on(answer);
    }
    for (const auto& item : last.jobs)
      last = s.phases.on(stub_work(item, two_topics));
    REQUIRE(last.failed);
    return last.failed->message;
  };
  CHECK(message(false)
        == "no concept was found: 4 initial rollouts gave no insight; raise "
           "search.initial_trials or agent.max_calls");
  CHECK(message(true)
        == "no concept was found: of 4 initial rollouts, the reflector had no "
           "usable reply on 4; the first: it was cut");
}

TEST_CASE("reports of the open iteration are counted, orders name all trees") {
  beginning s;
  const auto planted =
      s.answer(s.answer(s.answer(s.phases.begin().jobs).jobs).jobs);
  CHECK(planted.ready == std::vector<concept_id>{{0}, {1}});
  CHECK(s.phases.waiting_for() == 2);
  expand_report report;
  report.best.hash = {"a"};
  CHECK_FALSE(s.phases.on(report).expand);
  CHECK(s.phases.reported() == 1);
  CHECK(s.phases.waiting_for() == 1);
  report.concept_ref = {1};
  const auto closed = s.phases.on(report);
  CHECK(closed.ready == std::vector<concept_id>{{0}, {1}});
  CHECK(s.phases.iteration() == 1);
  CHECK(s.phases.reported() == 0);
}
