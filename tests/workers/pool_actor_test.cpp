#include "tests/fixtures/deterministic_system.hpp"
#include "tests/fixtures/local_pool.hpp"
#include "tests/fixtures/toy_search.hpp"
#include "workers/worker_actor.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// A promise is delivered inside its actor: `next` runs on a tick.
using manual_worker_actor =
    interface<caf::result<packed_result>(atom::run, run_id, job),
              caf::result<void>(atom::tick)>;

/// Workers that hold their job until the test says what came of it.
struct granted_work {
  struct entry {
    std::size_t worker;
    job work;
    caf::typed_response_promise<packed_result> promise;
  };
  std::vector<entry> running;
  std::function<void()> next;

  static manual_worker_actor::behavior_type
  run(manual_worker_actor::pointer self, std::shared_ptr<granted_work> state,
      std::size_t number) {
    return {[=](atom::run, const run_id&,
                const job& work) -> caf::result<packed_result> {
              auto promise = self->make_response_promise<packed_result>();
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
  microseconds now{0};

  explicit pool_bench(std::size_t workers, std::uint32_t max_failures = 1,
                      std::chrono::milliseconds job_limit = {}) {
    for (std::size_t i = 0; i < workers; ++i)
      pool_workers.push_back(
          actors.own(actors.system().spawn(granted_work::run, granted, i)));
    pool_observer observer;
    observer.on_start = [this](double) { ++started; };
    actor =
        local_pool(actors, {pool_workers.begin(), pool_workers.end()}, observer,
                   max_failures, job_limit, [this] { return now; });
  }
  table_counts counts() {
    auto answer = actors.request<pool_status_ptr>(actor, atom::status_v);
    actors.run();
    return answer->value()->counts;
  }
  ~pool_bench() { granted->running.clear(); }

  auto submit(const std::string& id) {
    auto answer =
        actors.request<packed_result>(actor, atom::run_v, test_run, work(id));
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
    ends(index, pack(make_result(
                    embed_result{granted->running.at(index).work.id, {}})));
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
  std::vector<std::shared_ptr<pending<packed_result>>> answers;
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
  CHECK(answers[1]->value().brief.id == job_id{"b"});
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
  CHECK(running->value().brief.id == job_id{"a"});
}

TEST_CASE("nothing is granted while any search's log cannot be written") {
  pool_bench b{1};
  const run_id other{"other"};
  const auto tell = [&](auto... what) {
    b.actors.send(b.actor, what...);
    b.actors.run();
  };
  tell(run_opening{other, {}, {}, {}, {}});
  tell(log_change{test_run, log_state::disk_full});
  tell(log_change{other, log_state::disk_full});
  const auto answer = b.submit("a");
  CHECK(b.granted->running.empty());
  tell(log_change{test_run, log_state::writable});
  CHECK(b.granted->running.empty()); // the other one still cannot
  SECTION("the log can be written again") {
    tell(log_change{other, log_state::writable});
  }
  SECTION("the search ends before that") {
    tell(atom::close_v, other, true);
  }
  REQUIRE(b.granted->running.size() == 1); // at once, not at some tick
  // A journal that complains after its run has ended stops nobody.
  tell(atom::close_v, other, true);
  tell(log_change{other, log_state::disk_full});
  b.finish(0);
  CHECK(answer->value().brief.id == job_id{"a"});
  b.submit("b");
  CHECK(b.granted->running.size() == 2);
}

TEST_CASE("a job beyond its limit keeps its thread, and no other fails") {
  using namespace std::chrono_literals;
  pool_bench b{1, 1, 10s};
  const auto hung = b.submit("hung");
  const auto next = b.submit("next");
  for (int i = 0; i < 60; ++i) { // six times as long as a job may take
    b.now += 1s;
    b.actors.pass(1s);
  }
  REQUIRE(b.granted->running.size() == 1);
  CHECK_THAT(hung->value().brief.error,
             Catch::Contains("it ran longer than 10 s"));
  CHECK(next->open());
  b.finish(0); // too late
  b.actors.pass(2s);
  REQUIRE(b.granted->running.size() == 2);
  CHECK(b.granted->running[1].work == work("next"));
  b.finish(1);
  CHECK(next->value().brief.error.empty());
  CHECK(b.counts().leased == 0);
}

TEST_CASE("an answer that does not fit its job is a failure, not a result") {
  pool_bench b{1};
  const auto answer = b.submit("a");
  rollout_result made;
  made.id = {"a"};
  b.ends(0, pack({{"a"}, {}, made}));
  // One failure is final here: the asker gets the verdict.
  CHECK(answer->value().brief.error.starts_with("quarantined: 1 failure"));
  CHECK(answer->value().brief.error.find("not of the kind")
        != std::string::npos);
}

TEST_CASE("a failed job frees its worker for the next") {
  pool_bench b{1};
  const auto failed = b.submit("a");
  const auto next = b.submit("b");
  b.ends(0, to_caf({ec::not_found, "no task"}));
  CHECK(failed->value().brief.error
        == "quarantined: 1 failure, the last on local: not found: no task");
  REQUIRE(b.granted->running.size() == 2);
  b.finish(1);
  CHECK(next->value().brief.id == job_id{"b"});
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
    CHECK(answer->value().brief.error.empty());
  }
  SECTION("it does not") {
    b.ends(3, to_caf({ec::exhausted, "the office is away"}));
    CHECK(answer->value().brief.error.starts_with("quarantined: 4 failures"));
  }
}

TEST_CASE("a process without workers does not try again what fails alike") {
  pool_bench b{1, 3};
  const auto answer = b.submit("a");
  b.ends(0, to_caf({ec::not_found, "no task"}));
  CHECK(answer->value().brief.error.starts_with("quarantined: 1 failure"));
  CHECK(b.granted->running.size() == 1);
}

TEST_CASE("a role that throws fails its own job only") {
  const auto source = make_toy_benchmark({.train = 3, .eval = 1, .test = 1});
  auto roles = procedural_roles({}, {});
  roles.agent = std::make_shared<moody_agent>();
  const auto runner = std::make_shared<const job_runner>(
      source, roles, std::make_shared<document_store>(), retrieval_options{});
  deterministic_system actors;
  const auto lonely = actors.own(actors.system().spawn(
      worker, runner_lookup{[runner](const auto&) { return runner; }}));
  const auto actor = local_pool(actors, {lonely});
  std::vector<std::shared_ptr<pending<packed_result>>> answers;
  for (const auto* task : {"train-000", "train-001", "train-002"})
    answers.push_back(actors.request<packed_result>(
        actor, atom::run_v, test_run,
        make_job(
            make_rollout_job(settings_for(*source), {task}, 0, {}, false))));
  actors.run();
  CHECK(
      std::holds_alternative<rollout_result>(answers[0]->value().brief.output));
  const auto& failed = answers[1]->value().brief;
  CHECK(std::get<rollout_result>(failed.output).outcome
        == rollout_outcome::quarantined);
  CHECK(failed.error.find("in a mood") != std::string::npos);
  CHECK(
      std::holds_alternative<rollout_result>(answers[2]->value().brief.output));
}

namespace {

/// A pool with one worker of two slots that writes down its orders.
struct orders_bench {
  deterministic_system actors;
  microseconds now{0};
  std::vector<std::vector<worker_order>> heard; ///< by message
  pool_actor actor;

  orders_bench() {
    auto inputs = std::make_shared<pool_inputs>();
    inputs->now = [this] { return now; };
    actor = actors.own(actors.system().spawn(pool, inputs));
    actors.send(actor, run_opening{test_run, {}, {}, {}, {}});
    joining_worker me;
    me.spec = {"w", "i", "h", 2, {job_kind::embed}, {}};
    me.member = actors.own(actors.system().spawn(
        [](worker_handle::pointer,
           orders_bench* bench) -> worker_handle::behavior_type {
          return {[bench](const to_worker& message) -> caf::result<void> {
            bench->heard.push_back(message.orders);
            return caf::unit;
          }};
        },
        this));
    (void)actors.request<joined_worker>(actor, me);
    actors.run();
  }

  void ask(const std::string& id) {
    (void)actors.request<packed_result>(actor, atom::run_v, test_run, work(id));
  }
  void finish(const worker_order& order) {
    const auto& key = std::get<lease_order>(order).key;
    actors.send(
        actor,
        from_worker{worker_id{1},
                    {lease_result{key,
                                  std::make_shared<packed_result>(pack(
                                      make_result(embed_result{key.job, {}}))),
                                  {}}}});
    actors.send(actor, atom::journalled_v, test_run, key.job);
    actors.run();
  }
  void pass(std::chrono::milliseconds time) {
    actors.pass(time, [this](std::chrono::milliseconds step) { now += step; });
  }
};

} // namespace

TEST_CASE("leases that a worker can have together come in one message") {
  orders_bench b;
  b.ask("a");
  b.ask("b");
  b.actors.run();
  REQUIRE(b.heard.size() == 1);
  CHECK(b.heard[0].size() == 2);
}

TEST_CASE("an acknowledgement comes with the next lease, or soon alone") {
  orders_bench b;
  b.ask("a");
  b.actors.run();
  REQUIRE(b.heard.size() == 1);
  b.finish(b.heard[0][0]);
  CHECK(b.heard.size() == 1);
  b.ask("b");
  b.actors.run();
  REQUIRE(b.heard.size() == 2);
  REQUIRE(b.heard[1].size() == 2);
  CHECK(std::holds_alternative<result_settled>(b.heard[1][0]));
  b.finish(b.heard[1][1]);
  CHECK(b.heard.size() == 2);
  b.pass(2 * order_batches::hold_for);
  REQUIRE(b.heard.size() == 3);
  CHECK(std::holds_alternative<result_settled>(b.heard[2].at(0)));
}
