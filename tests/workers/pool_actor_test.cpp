#include "tests/fixtures/deterministic_system.hpp"
#include "tests/fixtures/local_pool.hpp"
#include "tests/fixtures/toy_search.hpp"
#include "workers/worker_actor.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// A promise is delivered inside its actor: `next` runs on a tick.
using manual_worker_actor = interface<caf::result<job_result>(atom::run, job),
                                      caf::result<void>(atom::tick)>;

/// Workers that hold their job until the test says what came of it.
struct granted_work {
  struct entry {
    std::size_t worker;
    job work;
    caf::typed_response_promise<job_result> promise;
  };
  std::vector<entry> running;
  std::function<void()> next;

  static manual_worker_actor::behavior_type
  run(manual_worker_actor::pointer self, std::shared_ptr<granted_work> state,
      std::size_t number) {
    return {[=](atom::run, const job& work) -> caf::result<job_result> {
              auto promise = self->make_response_promise<job_result>();
              state->running.push_back({number, work, promise});
              return promise;
            },
            [=](atom::tick) -> caf::result<void> {
              state->next();
              return caf::unit;
            }};
  }
};

job work(const std::string& id) {
  return make_job(embed_job{{id}, {}});
}

struct pool_bench {
  deterministic_system actors;
  std::shared_ptr<granted_work> granted = std::make_shared<granted_work>();
  std::size_t started = 0;
  std::vector<manual_worker_actor> pool_workers;
  pool_actor actor;

  explicit pool_bench(std::size_t workers, std::uint32_t max_failures = 1) {
    for (std::size_t i = 0; i < workers; ++i)
      pool_workers.push_back(
          actors.own(actors.system().spawn(granted_work::run, granted, i)));
    pool_observer observer;
    observer.on_start = [this](double) { ++started; };
    actor = local_pool(actors, {pool_workers.begin(), pool_workers.end()},
                       observer, max_failures);
  }
  table_counts counts() {
    auto answer = actors.request<pool_status_ptr>(actor, atom::status_v);
    actors.run();
    return answer->value()->counts;
  }
  ~pool_bench() { granted->running.clear(); }

  auto submit(const std::string& id) {
    auto answer =
        actors.request<job_result>(actor, atom::run_v, test_run, work(id));
    actors.run();
    return answer;
  }
  template <class Answer>
  void ends(std::size_t index, Answer answer) {
    granted->next = [=, this] {
      granted->running.at(index).promise.deliver(answer);
    };
    actors.send(pool_workers.at(granted->running.at(index).worker),
                atom::tick_v);
    actors.run();
  }
  void finish(std::size_t index) {
    ends(index,
         make_result(embed_result{granted->running.at(index).work.id, {}}));
  }
};

/// Throws at one task, else plays on.
class moody_agent final : public agent {
public:
  std::string fingerprint() const override { return "moody"; }
  result<trajectory> attempt(const task_info& task, environment&,
                             retrieval_session&, std::uint64_t,
                             job_context&) const override {
    if (task.id.value == "train-001") throw std::runtime_error("in a mood");
    return trajectory{};
  }
};

} // namespace

TEST_CASE("all idle workers get a job, the rest wait their turn") {
  pool_bench b{3};
  std::vector<std::shared_ptr<pending<job_result>>> answers;
  for (const auto* id : {"a", "b", "c", "d", "e"})
    answers.push_back(b.submit(id));
  REQUIRE(b.granted->running.size() == 3);
  std::set<std::size_t> busy;
  for (const auto& entry : b.granted->running)
    busy.insert(entry.worker);
  CHECK(busy.size() == 3);
  CHECK(b.counts().queued == 2);
  CHECK(b.counts().leased == 3);
  b.finish(1);
  CHECK(answers[1]->value().id == job_id{"b"});
  REQUIRE(b.granted->running.size() == 4);
  CHECK(b.granted->running[3].work == work("d"));
  CHECK(b.granted->running[3].worker == b.granted->running[1].worker);
  b.finish(3);
  CHECK(b.granted->running.back().work == work("e"));
  for (const std::size_t index : {0, 2, 4})
    b.finish(index);
  for (const auto& answer : answers)
    CHECK_FALSE(answer->open());
  CHECK(b.counts().leased == 0);
  CHECK(b.started == 5);
}

TEST_CASE("stop cancels what is queued and lets running jobs end") {
  pool_bench b{1};
  const auto running = b.submit("a");
  const auto queued = b.submit("b");
  b.actors.send(b.actor, atom::stop_v, test_run);
  b.actors.run();
  CHECK(queued->failure().code == ec::cancelled);
  CHECK(running->open());
  CHECK(b.counts().queued == 0);
  b.finish(0);
  CHECK(running->value().id == job_id{"a"});
}

TEST_CASE("nothing is granted while any search's log cannot be written") {
  pool_bench b{1};
  const run_id other{"other"};
  const auto tell = [&](auto... what) {
    b.actors.send(b.actor, what...);
    b.actors.run();
  };
  tell(run_opening{other, {}, {}, {}, {}});
  tell(atom::pause_v, test_run, true);
  tell(atom::pause_v, other, true);
  const auto answer = b.submit("a");
  CHECK(b.granted->running.empty());
  tell(atom::pause_v, test_run, false);
  CHECK(b.granted->running.empty()); // the other one still cannot
  SECTION("the log can be written again") {
    tell(atom::pause_v, other, false);
  }
  SECTION("the search ends before that") {
    tell(atom::close_v, other);
  }
  REQUIRE(b.granted->running.size() == 1); // at once, not at some tick
  // A journal that complains after its run has ended stops nobody.
  tell(atom::close_v, other);
  tell(atom::pause_v, other, true);
  b.finish(0);
  CHECK(answer->value().id == job_id{"a"});
  b.submit("b");
  CHECK(b.granted->running.size() == 2);
}

TEST_CASE("an answer that does not fit its job is a failure, not a result") {
  pool_bench b{1};
  const auto answer = b.submit("a");
  rollout_result made;
  made.id = {"a"};
  b.ends(0, job_result{{"a"}, {}, made});
  // One failure is final here: the asker gets the verdict.
  CHECK(answer->value().error.starts_with("quarantined: 1 failure"));
  CHECK(answer->value().error.find("not of the kind") != std::string::npos);
}

TEST_CASE("a failed job frees its worker for the next") {
  pool_bench b{1};
  const auto failed = b.submit("a");
  const auto next = b.submit("b");
  b.ends(0, to_caf({ec::not_found, "no task"}));
  CHECK(failed->value().error
        == "quarantined: 1 failure, the last on local: not found: no task");
  REQUIRE(b.granted->running.size() == 2);
  b.finish(1);
  CHECK(next->value().id == job_id{"b"});
}

TEST_CASE("a process without workers tries again what may mend") {
  pool_bench b{1, 2};
  const auto answer = b.submit("a");
  for (std::size_t failures = 0; failures < 3; ++failures) {
    b.ends(failures, to_caf({ec::exhausted, "the office is away"}));
    CHECK(answer->open());
    REQUIRE(b.granted->running.size() == failures + 2);
  }
  SECTION("it mends") {
    b.finish(3);
    CHECK(answer->value().error.empty());
  }
  SECTION("it does not") {
    b.ends(3, to_caf({ec::exhausted, "the office is away"}));
    CHECK(answer->value().error.starts_with("quarantined: 4 failures"));
  }
}

TEST_CASE("a process without workers does not try again what fails alike") {
  pool_bench b{1, 3};
  const auto answer = b.submit("a");
  b.ends(0, to_caf({ec::not_found, "no task"}));
  CHECK(answer->value().error.starts_with("quarantined: 1 failure"));
  CHECK(b.granted->running.size() == 1);
}

TEST_CASE("a role that throws fails its own job only") {
  const auto source = make_toy_benchmark({.train = 3, .eval = 1, .test = 1});
  auto roles = procedural_roles({}, {});
  roles.agent = std::make_shared<moody_agent>();
  const auto runner = std::make_shared<const job_runner>(
      source, roles, std::make_shared<document_store>(), retrieval_options{});
  deterministic_system actors;
  const auto lonely = actors.own(actors.system().spawn(worker, runner));
  const auto actor = local_pool(actors, {lonely});
  std::vector<std::shared_ptr<pending<job_result>>> answers;
  for (const auto* task : {"train-000", "train-001", "train-002"})
    answers.push_back(actors.request<job_result>(
        actor, atom::run_v, test_run,
        make_job(
            make_rollout_job(settings_for(*source), {task}, 0, {}, false))));
  actors.run();
  CHECK(std::holds_alternative<rollout_result>(answers[0]->value().output));
  const auto& failed = answers[1]->value();
  CHECK(std::get<rollout_result>(failed.output).outcome
        == rollout_outcome::quarantined);
  CHECK(failed.error.find("in a mood") != std::string::npos);
  CHECK(std::holds_alternative<rollout_result>(answers[2]->value().output));
}
