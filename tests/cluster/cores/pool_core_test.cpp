#include "cluster/pool_core.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

const run_id the_run{"s"};

worker_spec worker_of(const std::string& incarnation) {
  return {"w", incarnation, "h", 1, {job_kind::rollout}, {"*"}};
}

job work(const std::string& id) {
  rollout_job rollout;
  rollout.id = {id};
  return make_job(rollout);
}

std::shared_ptr<packed_result> result_of(const std::string& id) {
  rollout_result made;
  made.id = {id};
  return std::make_shared<packed_result>(pack(make_result(made)));
}

struct open_pool : pool_core {
  microseconds now{0};
  open_pool() : pool_core({}, 7) { open({the_run, {}, {}, "setup"}); }

  worker_id joins(const std::string& incarnation, std::uint64_t session) {
    const auto made = join(worker_of(incarnation), session, {}, now);
    REQUIRE(made.answer);
    return made.answer->worker;
  }
};

template <class T>
std::vector<T> orders_of(const pool_step& step) {
  std::vector<T> out;
  for (const auto& [worker, order] : step.orders)
    if (const auto* one = std::get_if<T>(&order)) out.push_back(*one);
  return out;
}

} // namespace

TEST_CASE("a session that a later one overtook does not end it") {
  open_pool pool;
  const auto later = pool.joins("i", 2);
  const auto overtaken = pool.join(worker_of("i"), 1, {}, pool.now);
  CHECK_FALSE(overtaken.answer);
  CHECK(overtaken.step.left.empty());
  const auto step = pool.run(the_run, work("a"), asker_id{1}, pool.now);
  REQUIRE(step.orders.size() == 1);
  CHECK(step.orders.front().first == later);
}

TEST_CASE("a later session of a process ends the one before") {
  open_pool pool;
  const auto before = pool.joins("i", 1);
  const auto made = pool.join(worker_of("i"), 2, {}, pool.now);
  REQUIRE(made.answer);
  CHECK(made.step.left == std::vector<worker_id>{before});
  CHECK(pool.table().workers().size() == 1);
}

TEST_CASE("a worker that connects again has lost no lease to silence") {
  open_pool pool;
  pool.joins("i", 1);
  (void)pool.run(the_run, work("a"), asker_id{1}, pool.now);
  REQUIRE(pool.table().counts().leased == 1);
  pool.joins("i", 2); // without the job
  CHECK(pool.table().counts().expired == 0);
  CHECK(pool.table().counts().queued == 1);
}

TEST_CASE("an order to drain outlives the worker's connection") {
  open_pool pool;
  const auto first = pool.joins("i", 1);
  const auto other = pool.joins("j", 2);
  CHECK(pool.drain("i", pool.now).workers == 1);
  for (std::uint64_t session = 3; session < 5; ++session) {
    const auto made = pool.join(worker_of("i"), session, {}, pool.now);
    REQUIRE(made.answer);
    REQUIRE(made.answer->drains);
    CHECK(made.answer->drains->reason == "an operator asked for it");
  }
  (void)pool.lost(pool.table().session_of("i").value(), pool.now);
  const auto back = pool.join(worker_of("i"), 5, {}, pool.now);
  REQUIRE(back.answer);
  CHECK(back.answer->drains);
  CHECK(first != back.answer->worker);
  // All go to the one that does not drain.
  const auto step = pool.run(the_run, work("a"), asker_id{1}, pool.now);
  REQUIRE(step.orders.size() == 1);
  CHECK(step.orders.front().first == other);
  CHECK(pool.run(the_run, work("b"), asker_id{2}, pool.now).orders.empty());
  // It has done as it was told: who has the name now is not meant.
  (void)pool.report(back.answer->worker, worker_leaves{}, pool.now);
  CHECK_FALSE(pool.join(worker_of("i"), 6, {}, pool.now).answer->drains);
}

namespace {

std::string incarnation(std::size_t number) {
  auto digits = std::to_string(number);
  return std::string(16 - digits.size(), '0') + digits;
}

} // namespace

TEST_CASE("a process that is away drains once it is back") {
  open_pool pool;
  const auto id = incarnation(7);
  CHECK(pool.drain(id, pool.now).workers == 0);
  CHECK(pool.status().draining == std::vector{id});
  const auto back = pool.join(worker_of(id), 1, {}, pool.now);
  REQUIRE(back.answer);
  CHECK(back.answer->drains);
  CHECK(pool.run(the_run, work("a"), asker_id{1}, pool.now).orders.empty());
  (void)pool.report(back.answer->worker,
                    worker_leaves{job_table::departure::left}, pool.now);
  CHECK(pool.status().draining.empty());
}

TEST_CASE("a name that nobody has is not drained later") {
  open_pool pool;
  CHECK(pool.drain("w", pool.now).workers == 0);
  CHECK(pool.status().draining.empty());
  CHECK_FALSE(pool.join(worker_of("i"), 1, {}, pool.now).answer->drains);
}

TEST_CASE("an order to drain is forgotten when its process was away a day") {
  using namespace std::chrono_literals;
  open_pool pool;
  const auto worker = pool.joins("i", 1);
  CHECK(pool.drain("w", pool.now).workers == 1);
  pool.now = 48h; // it has many jobs
  (void)pool.tick(pool.now);
  CHECK(pool.status().draining.size() == 1);
  (void)pool.lost(worker, pool.now);
  (void)pool.tick(pool.now += 24h - 1us);
  CHECK(pool.status().draining.size() == 1);
  (void)pool.tick(pool.now += 1us);
  CHECK(pool.status().draining.empty());
  CHECK_FALSE(pool.join(worker_of("i"), 2, {}, pool.now).answer->drains);
}

TEST_CASE("of too many processes that drain the longest away is forgotten") {
  open_pool pool;
  pool.joins(incarnation(0), 1);
  for (std::size_t i = 0; i < pool_core::drains_max; ++i)
    (void)pool.drain(incarnation(i), pool.now += microseconds{1});
  (void)pool.drain(incarnation(pool_core::drains_max), pool.now);
  const auto draining = pool.status().draining;
  CHECK(draining.size() == pool_core::drains_max);
  CHECK(draining.at(0) == incarnation(0)); // it is connected
  CHECK(draining.at(1) == incarnation(2));
  CHECK(draining.back() == incarnation(pool_core::drains_max));
}

TEST_CASE("a session may join when a later one has left already") {
  open_pool pool;
  pool.report(pool.joins("i", 2), worker_leaves{}, pool.now);
  pool.joins("i", 1);
  CHECK(pool.table().workers().size() == 1);
}

TEST_CASE("a worker is told that its result is kept only by the journal") {
  open_pool pool;
  const auto worker = pool.joins("i", 1);
  const auto granted = pool.run(the_run, work("a"), asker_id{1}, pool.now);
  const auto lease = orders_of<lease_order>(granted).at(0);
  const auto done = pool.report(
      worker, lease_result{lease.key, result_of("a"), {}}, pool.now);
  REQUIRE(done.answers.size() == 1);
  CHECK(done.answers.front().asker == asker_id{1});
  CHECK(done.answers.front().answer->brief.id == job_id{"a"});
  CHECK(orders_of<result_settled>(done).empty());
  const auto settled =
      orders_of<result_settled>(pool.journalled(the_run, {"a"}));
  REQUIRE(settled.size() == 1);
  CHECK(settled.front().key == lease.key);
  CHECK(orders_of<result_settled>(pool.journalled(the_run, {"a"})).empty());
}

TEST_CASE("the jobs of a lost worker go to another") {
  open_pool pool;
  const auto lost = pool.joins("i", 1);
  pool.run(the_run, work("a"), asker_id{1}, pool.now);
  const auto other = pool.joins("j", 2);
  const auto step = pool.lost(lost, pool.now);
  CHECK(step.left == std::vector<worker_id>{lost});
  REQUIRE(step.orders.size() == 1);
  CHECK(step.orders.front().first == other);
}

TEST_CASE("a result that nobody asked for is offered to its search's ledger") {
  open_pool pool;
  const worker_job reported{{the_run, {"a"}, 3, 6}, true, 0};
  const auto made = pool.join(worker_of("i"), 1, {reported}, pool.now);
  REQUIRE(made.answer);
  REQUIRE(made.answer->adopted.size() == 1);
  const auto step = pool.report(
      made.answer->worker,
      lease_result{made.answer->adopted.front().key, result_of("a"), {}},
      pool.now);
  CHECK(step.answers.empty());
  REQUIRE(step.offers.size() == 1);
  CHECK(step.offers.front().run == the_run);
}

TEST_CASE("a reason to wait is told once while it lasts, with its run") {
  using namespace std::chrono_literals;
  open_pool pool;
  CHECK(pool.news_of_waiting(pool.now).empty());
  pool.run(the_run, work("a"), asker_id{1}, pool.now);
  CHECK(pool.news_of_waiting(pool.now)
        == std::vector<std::string>{
            "s: rollout jobs wait (1): no worker is connected"});
  pool.run(the_run, work("b"), asker_id{2}, pool.now);
  CHECK(pool.news_of_waiting(pool.now += 50s).empty());
  // It comes and goes: nothing waits for a moment.
  const auto worker = pool.joins("i", 1);
  pool.lost(worker, pool.now);
  CHECK(pool.news_of_waiting(pool.now += 50s).empty());
  CHECK(pool.news_of_waiting(pool.now += 50s).empty());
  CHECK(pool.news_of_waiting(pool.now += 61s).size() == 1);
}

TEST_CASE("a reason to wait is told of every run, whatever number it has") {
  open_pool pool;
  for (const auto* id : {"wide-1", "wide-2"}) {
    opened_run about;
    about.run = {id};
    pool.open(about);
    pool.run({id}, work("a"), asker_id{1}, pool.now);
  }
  CHECK(pool.news_of_waiting(pool.now)
        == std::vector<std::string>{
            "wide-1: rollout jobs wait (1): no worker is connected",
            "wide-2: rollout jobs wait (1): no worker is connected"});
  pool.run({"wide-2"}, work("b"), asker_id{2}, pool.now);
  CHECK(pool.news_of_waiting(pool.now).empty());
}

TEST_CASE("who asks a second time for a job is answered, and so is the first") {
  open_pool pool;
  pool.run(the_run, work("a"), asker_id{1}, pool.now);
  const auto again = pool.run(the_run, work("a"), asker_id{2}, pool.now);
  REQUIRE(again.answers.size() == 1);
  CHECK(again.answers.front().asker == asker_id{1});
  const auto closed = pool.close(the_run, true, pool.now);
  REQUIRE(closed.answers.size() == 1);
  CHECK(closed.answers.front().asker == asker_id{2});
  CHECK(closed.answers.front().answer.error().code == ec::cancelled);
}

TEST_CASE("what comes back from a worker of a stopped run is not played") {
  const auto lost = GENERATE(true, false);
  open_pool pool;
  const auto first = pool.joins("i", 1);
  const auto granted = pool.run(the_run, work("a"), asker_id{1}, pool.now);
  REQUIRE(orders_of<lease_order>(granted).size() == 1);
  (void)pool.stop(the_run);
  const auto step =
      lost ? pool.lost(first, pool.now)
           : pool.report(
               first, leases_returned{{orders_of<lease_order>(granted)[0].key}},
               pool.now);
  REQUIRE(step.answers.size() == 1);
  CHECK(step.answers[0].answer.error().code == ec::cancelled);
  CHECK(orders_of<lease_order>(step).empty());
  CHECK(orders_of<lease_order>(pool.join(worker_of("j"), 1, {}, pool.now).step)
            .empty());
  CHECK(pool.table().counts().queued == 0);
}

TEST_CASE("a job that reaches the pool after its run's stop is not played") {
  open_pool pool;
  pool.joins("i", 1);
  (void)pool.stop(the_run);
  const auto step = pool.run(the_run, work("a"), asker_id{1}, pool.now);
  CHECK(step.orders.empty());
  REQUIRE(step.answers.size() == 1);
  CHECK(step.answers[0].answer.error().code == ec::cancelled);
}

TEST_CASE("what a worker's new session lacks of a stopped run is not played") {
  open_pool pool;
  pool.joins("i", 1);
  pool.run(the_run, work("a"), asker_id{1}, pool.now);
  (void)pool.stop(the_run);
  const auto again = pool.join(worker_of("i"), 2, {}, pool.now);
  REQUIRE(again.step.answers.size() == 1);
  CHECK(again.step.answers[0].answer.error().code == ec::cancelled);
  CHECK(orders_of<lease_order>(pool.assign(pool.now)).empty());
}

TEST_CASE("workers hear of results that a closed run's journal has or lacks") {
  open_pool pool;
  auto spec = worker_of("i");
  spec.slots = 2;
  const auto worker = pool.join(spec, 1, {}, pool.now).answer->worker;
  for (const auto* id : {"written", "lost"}) {
    const auto granted = orders_of<lease_order>(
        pool.run(the_run, work(id), asker_id{1}, pool.now));
    REQUIRE(granted.size() == 1);
    pool.report(worker, lease_result{granted[0].key, result_of(id), {}},
                pool.now);
  }
  const auto closed = pool.close(the_run, false, pool.now);
  CHECK(orders_of<lease_ended>(closed).empty()); // they may yet be written
  const auto settled =
      orders_of<result_settled>(pool.journalled(the_run, {"written"}));
  REQUIRE(settled.size() == 1);
  CHECK(settled[0].verdict == result_verdict::counted);
  const auto left = orders_of<lease_ended>(pool.close(the_run, true, pool.now));
  REQUIRE(left.size() == 1);
  CHECK(left[0].key.job == job_id{"lost"});
  CHECK(pool.close(the_run, true, pool.now).orders.empty());
}

TEST_CASE("a reason to wait has the benchmark's name, not its fingerprint") {
  pool_core pool{{}, 7};
  pool.open({the_run, {}, "b3605108", "setup", {}, "toy"});
  auto other = worker_of("i");
  other.benchmarks = {"else"};
  other.benchmark_names = {"toy"};
  REQUIRE(pool.join(other, 1, {}, {}).answer);
  pool.run(the_run, work("a"), asker_id{1}, {});
  CHECK(pool.status().waiting
        == std::vector<std::string>{
            "s: rollout jobs wait (1): no worker offers toy with the data of "
            "this run; with other data: 1 (connected: 1)"});
}
