#include "tests/cluster/support.hpp"

using namespace brewery;
using namespace std::chrono_literals;
using kind = finish_outcome::kind;
using departure = job_table::departure;

namespace {

cluster_options budgets(std::uint32_t failures, std::uint32_t crashes) {
  cluster_options out;
  out.max_failures = failures;
  out.max_crashes = crashes;
  return out;
}

} // namespace

TEST_CASE("a job that fails on enough different workers is quarantined") {
  job_yard yard{budgets(3, 10)};
  for (const auto* name : {"u", "v", "w"})
    yard.join(name);
  yard.submit("a");
  std::set<worker_id> tried;
  for (int i = 0; i < 2; ++i) {
    const auto lease = yard.grant();
    CHECK(tried.insert(lease.worker).second);
    const auto outcome = yard.finish(lease, "boom");
    CHECK(outcome.what == kind::retried);
    CHECK(outcome.given_up.empty());
  }
  const auto last = yard.grant();
  CHECK(tried.insert(last.worker).second);
  const auto outcome = yard.finish(last, "bang");
  CHECK(outcome.what == kind::quarantined);
  REQUIRE(outcome.given_up.size() == 1);
  CHECK(outcome.given_up.front().run == yard.run);
  CHECK(outcome.given_up.front().job == job_id{"a"});
  CHECK(contains(outcome.given_up.front().reason, "3 failures, the last on"));
  CHECK(contains(outcome.given_up.front().reason, "bang"));
  // The verdict is journalled like a result.
  CHECK(yard.table.counts().quarantined == 1);
  CHECK(yard.table.counts().delivered == 1);
  CHECK(yard.table.quarantine().size() == 1);
  CHECK(yard.assign().empty());
  yard.table.forget(yard.run, {"a"});
  CHECK(yard.table.counts().delivered == 0);
  CHECK(yard.submit("a"));
  CHECK(yard.assigned() == "a");
}

TEST_CASE("a failure that no try can mend gives the job up at once") {
  job_yard yard{budgets(3, 10)};
  for (const auto* name : {"u", "v", "w"})
    yard.join(name);
  yard.submit("a");
  const auto lease = yard.grant();
  const auto outcome =
      yard.table.finish(lease.worker, lease.key, {"no task", true}, yard.now);
  CHECK(outcome.what == kind::quarantined);
  REQUIRE(outcome.given_up.size() == 1);
  CHECK(contains(outcome.given_up.front().reason, "1 failure, the last on"));
}

TEST_CASE("a failed job waits for a worker that has not tried it") {
  job_yard yard;
  const auto first = yard.join("first");
  yard.submit("a");
  const auto lease = yard.grant();
  const auto second = yard.join("second");
  yard.submit("b");
  const auto busy = yard.grant();
  CHECK(busy.worker == second);
  yard.finish(lease, "boom");
  // Long after the pause: there is one that has not tried, though it is busy.
  yard.now += 60s;
  CHECK(yard.assign().empty());
  yard.finish(busy);
  CHECK(yard.grant().worker == second);
  CHECK(leases_of(yard.table, first) == 0);
}

TEST_CASE("a worker tries a job again only after a pause") {
  cluster_options options;
  options.retry_pause = 5s;
  job_yard yard{options};
  yard.join("only");
  yard.submit("a");
  yard.finish(yard.grant(), "boom");
  CHECK(yard.assign().empty());
  yard.now += 5s - 1us;
  CHECK(yard.assign().empty());
  yard.submit("b");
  CHECK(yard.assigned() == "b"); // the slot is free for others meanwhile
  yard.finish({worker_id{1}, {yard.run, {"b"}, 2, 7}});
  yard.now += 1us;
  CHECK(yard.assigned() == "a");
}

TEST_CASE("where there are too few workers twice as many failures are needed") {
  cluster_options options = budgets(3, 10);
  options.breaker_failures = 100;
  job_yard yard{options};
  yard.join("only");
  yard.submit("a");
  for (int failures = 1; failures < 6; ++failures) {
    INFO(failures << " failures");
    REQUIRE(yard.finish(yard.grant(), "boom").what == kind::retried);
    yard.now += options.retry_pause;
  }
  CHECK(yard.finish(yard.grant(), "boom").what == kind::quarantined);
}

TEST_CASE("a new start of a worker is no different worker to a failed job") {
  job_yard yard{budgets(2, 10)};
  const auto before = yard.join("w");
  yard.submit("a");
  yard.finish(yard.grant(), "boom");
  yard.table.leave(before, departure::left, yard.now);
  yard.table.join({"w", "w#2", "h", 1, {job_kind::rollout}, {"*"}}, yard.now);
  CHECK(yard.assign().empty());
  yard.now += 5s;
  CHECK(yard.finish(yard.grant(), "boom").what == kind::retried);
}

TEST_CASE("workers that leave or expire spend none of a job's budgets") {
  for (const auto how : {departure::expired, departure::left}) {
    INFO("departure " << static_cast<int>(how));
    job_yard yard{budgets(1, 1)};
    yard.submit("a");
    for (int i = 0; i < 20; ++i) {
      const auto worker = yard.join("w" + std::to_string(i));
      yard.grant();
      REQUIRE(yard.table.leave(worker, how, yard.now).empty());
    }
    yard.join("last");
    CHECK(yard.finish(yard.grant()).what == kind::accepted);
    CHECK(yard.table.counts().quarantined == 0);
  }
}

TEST_CASE("only workers that were lost count as crashes") {
  job_yard yard{budgets(3, 2)};
  yard.submit("a");
  for (const auto how :
       {departure::expired, departure::left, departure::crashed}) {
    const auto worker = yard.join("w" + std::to_string(static_cast<int>(how)));
    yard.grant();
    CHECK(yard.table.leave(worker, how, yard.now).empty());
  }
  const auto last = yard.join("last");
  yard.grant();
  CHECK(yard.table.leave(last, departure::crashed, yard.now).size() == 1);
}

TEST_CASE("crashes are counted apart from failures") {
  job_yard yard{budgets(3, 3)};
  yard.submit("a");
  for (int i = 0; i < 2; ++i) {
    const auto dies = yard.join("dies" + std::to_string(i));
    yard.grant();
    REQUIRE(yard.table.leave(dies, departure::crashed, yard.now).empty());
    const auto fails = yard.join("fails" + std::to_string(i));
    REQUIRE(yard.finish(yard.grant(), "boom").what == kind::retried);
    REQUIRE(yard.table.leave(fails, departure::left, yard.now).empty());
  }
  CHECK(yard.table.counts().quarantined == 0);
  const auto last = yard.join("last");
  yard.grant();
  const auto given_up = yard.table.leave(last, departure::crashed, yard.now);
  REQUIRE(given_up.size() == 1);
  CHECK(given_up.front().job == job_id{"a"});
  CHECK(given_up.front().reason
        == "3 workers crashed while running it, the last was last");
  CHECK(yard.table.counts().quarantined == 1);
  CHECK(yard.table.counts().queued == 0);
}

TEST_CASE("a crash is taken back when the worker turns up with the job") {
  job_yard yard{budgets(3, 2)};
  const auto v = yard.join("v");
  yard.submit("a");
  yard.grant();
  yard.table.leave(v, departure::crashed, yard.now);
  const auto back = yard.join("v");
  REQUIRE(yard.table.adopt(back, yard.run, {"a"}, yard.now));
  CHECK(yard.table.leave(back, departure::crashed, yard.now).empty());
  CHECK(yard.table.counts().queued == 1);
}

TEST_CASE("only a crash quarantines for crashes") {
  // Whoever ends a session because a new one begins learns of no verdict.
  job_yard yard{budgets(3, 1)};
  const auto v = yard.join("v");
  const auto w = yard.join("w");
  yard.submit("a");
  const auto lease = yard.grant();
  const auto other = lease.worker == v ? w : v;
  REQUIRE(yard.table.adopt(other, yard.run, {"a"}, yard.now));
  CHECK(yard.table.leave(lease.worker, departure::crashed, yard.now).empty());
  const auto again = yard.join(other == v ? "v" : "w");
  CHECK(yard.table.counts().quarantined == 0);
  CHECK(yard.grant().worker == again);
}

TEST_CASE("a job handed back is the first in line and spends nothing") {
  job_yard yard{budgets(1, 1)};
  const auto worker = yard.join("w");
  yard.play("1", "short", 1s);
  yard.play("2", "long", 10s);
  yard.submit("back", "short");
  for (int i = 0; i < 10; ++i) {
    const auto lease = yard.grant();
    CHECK(lease.key.job == job_id{"back"});
    auto wrong = lease.key;
    ++wrong.attempt;
    yard.table.give_back(worker, wrong, yard.now); // nothing happens
    CHECK(leases_of(yard.table, worker) == 1);
    yard.table.give_back(worker, lease.key, yard.now);
    CHECK(leases_of(yard.table, worker) == 0);
    yard.submit("longer" + std::to_string(i), "long");
  }
  CHECK(yard.finish(yard.grant()).what == kind::accepted);
  CHECK(yard.table.counts().quarantined == 0);
}

TEST_CASE("one that fails a job takes nothing from another that has it") {
  job_yard yard{budgets(1, 10)};
  const auto v = yard.join("v");
  const auto w = yard.join("w");
  yard.submit("a");
  const auto first = yard.grant();
  const auto other = first.worker == v ? w : v;
  const auto second = yard.table.adopt(other, yard.run, {"a"}, yard.now);
  REQUIRE(second);
  CHECK(yard.finish(first, "boom").what == kind::retried);
  CHECK(yard.table.counts().queued == 0);
  CHECK(yard.finish({other, second->key}).what == kind::accepted);
}
