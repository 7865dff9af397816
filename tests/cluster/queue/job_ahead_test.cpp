#include "tests/cluster/support.hpp"

using namespace brewery;
using namespace std::chrono_literals;

namespace {

/// A table whose workers say what their jobs took.
struct quick_yard : job_yard {
  using job_yard::job_yard;
  finish_outcome end(const granted_lease& lease, microseconds played) {
    now += played;
    return table.finish(lease.worker, lease.key, {{}, false, played}, now);
  }
  /// `worker` has done a job that took so long.
  void warm_up(const std::string& duration_key, microseconds played) {
    submit("warm-up " + duration_key, duration_key);
    end(grant(), played);
    table.forget(run, {"warm-up " + duration_key});
  }
  void submit_many(int count, const std::string& duration_key = "quick") {
    for (int i = 0; i < count; ++i)
      submit("job" + std::to_string(++number), duration_key);
  }
  void submit_grade(const std::string& id) {
    job_spec grade{{id}, {job_kind::grade, "fp"}, "grade"};
    grade.holds_slot = true;
    table.submit(run, std::move(grade), now);
  }
  worker_id join_grader(std::uint32_t slots) {
    return table.join(
        {"g", "g#1", "h", slots, {job_kind::rollout, job_kind::grade}, {"*"}},
        now);
  }
  int number = 0;
};

} // namespace

TEST_CASE("a worker gets short jobs ahead until it has 50 ms in hand") {
  quick_yard yard;
  const auto worker = yard.join("w", 2);
  yard.warm_up("quick", 10ms);
  yard.submit_many(100);
  CHECK(yard.assign().size() == 2 * 5);
  CHECK(yard.worker("w").busy == 2);
  CHECK(yard.worker("w").leases == 10);
  CHECK(yard.table.counts().busy == 2);
  CHECK(yard.table.counts().leased == 10);
  CHECK(yard.table.counts().ahead == 8);
  CHECK(leases_of(yard.table, worker) == 10);
}

TEST_CASE("a worker has at most 64 jobs ahead, however short") {
  quick_yard yard;
  yard.join("w", 2);
  yard.warm_up("quick", 1us);
  yard.submit_many(100);
  CHECK(yard.assign().size() == 2 + job_table::ahead_max);
}

TEST_CASE("a worker that does not say what jobs take gets none ahead") {
  quick_yard yard;
  yard.join("w", 2);
  yard.play("1", "quick", 1ms);
  yard.submit_many(100);
  CHECK(yard.assign().size() == 2);
}

TEST_CASE("jobs that are not expected to be short do not go ahead") {
  quick_yard yard;
  yard.join("w", 2);
  yard.warm_up("slow", 25ms);
  SECTION("slow ones") {
    yard.submit_many(100, "slow");
    CHECK(yard.assign().size() == 2);
  }
  SECTION("quick ones behind them") {
    yard.warm_up("quick", 1ms);
    yard.submit_many(3, "slow");
    yard.submit_many(100);
    CHECK(yard.assign().size() == 2); // a slow one is first in line
  }
  SECTION("quick ones to a worker that has slow ones") {
    yard.warm_up("quick", 1ms);
    yard.submit_many(1, "slow");
    yard.submit_many(100);
    CHECK(yard.assign().size() == 2);
  }
}

TEST_CASE("free slots of all workers are taken before any job goes ahead") {
  quick_yard yard;
  const auto one = yard.join("one", 2);
  yard.warm_up("quick", 10ms);
  yard.submit_many(100);
  yard.assign();
  REQUIRE(leases_of(yard.table, one) == 10);
  const auto two = yard.join("two", 3);
  CHECK(yard.assign().size() == 3); // of its times nothing is known yet
  CHECK(leases_of(yard.table, two) == 3);
}

TEST_CASE("a job that a rollout waits for with its slot gets the next one") {
  quick_yard yard;
  yard.join_grader(2);
  yard.warm_up("quick", 10ms);
  yard.submit_grade("known");
  yard.end(yard.grant(), 10ms); // so grades are short, too
  yard.submit_many(100);
  auto leases = yard.assign();
  REQUIRE(leases.size() == 10);
  yard.submit_grade("g");
  // Nothing more goes ahead while it waits, so that its slot becomes free.
  for (std::size_t i = 0; i < 8; ++i) {
    yard.end(leases[i], 10ms);
    CHECK(yard.assigned().empty());
  }
  yard.end(leases[8], 10ms);
  const auto next = yard.assign();
  REQUIRE(!next.empty());
  CHECK(next.front().key.job.value == "g");
  CHECK(next.size() > 1); // and it goes on
}

TEST_CASE("what failed or lost its worker waits for a slot of its own") {
  quick_yard yard;
  const auto lost = yard.join("lost");
  yard.warm_up("quick", 10ms);
  yard.submit_many(2);
  REQUIRE(yard.assign().size() == 2);
  yard.table.leave(lost, job_table::departure::crashed, yard.now);
  yard.join("w");
  auto first = yard.assign();
  REQUIRE(first.size() == 1);
  yard.end(first[0], 10ms);
  first = yard.assign();
  REQUIRE(first.size() == 1); // the other one, and nothing with it
  yard.submit_many(3);
  CHECK(yard.assign().size() == 3);
  yard.finish(first[0], "broken");
  CHECK(yard.assigned().empty());
}

TEST_CASE("who gives a job back gets none ahead until it has ended another") {
  quick_yard yard;
  const auto worker = yard.join("w");
  yard.warm_up("quick", 10ms);
  yard.submit_many(5);
  auto leases = yard.assign();
  REQUIRE(leases.size() == 5);
  yard.submit_many(20);
  for (std::size_t i = 1; i < leases.size(); ++i)
    yard.table.give_back(worker, leases[i].key, yard.now);
  CHECK(yard.assigned().empty()); // its slot has the first one still
  CHECK(yard.worker("w").failed == 0);
  yard.end(leases[0], 10ms);
  // What came back goes first, one by one; with the last of it others go on.
  for (std::size_t i = 1; i < leases.size(); ++i) {
    const auto next = yard.assign();
    CHECK(next.size() == (i + 1 < leases.size() ? 1 : 5));
    REQUIRE(!next.empty());
    CHECK(next.front().key.job == leases[i].key.job);
    yard.end(next.front(), 10ms);
  }
}

TEST_CASE("a benchmark with slots of its own has no job ahead") {
  quick_yard yard;
  worker_spec spec{"w", "w#1", "h", 2, {job_kind::rollout}, {"*"}};
  spec.slots_for["fp"] = 2;
  yard.table.join(spec, yard.now);
  yard.warm_up("quick", 1ms);
  yard.submit_many(100);
  CHECK(yard.assign().size() == 2);
}

TEST_CASE("what a job took is its time on a slot, not in the worker's queue") {
  quick_yard yard;
  yard.join("w");
  yard.warm_up("quick", 10ms);
  yard.submit_many(5);
  const auto leases = yard.assign();
  REQUIRE(leases.size() == 5);
  for (const auto& lease : leases)
    CHECK(yard.end(lease, 10ms).spent == 10ms);
  // A worker's word counts for no more than the time of the lease.
  yard.submit("a", "quick");
  const auto lease = yard.grant();
  yard.now += 5ms;
  const auto ended =
      yard.table.finish(lease.worker, lease.key, {{}, false, 1h}, yard.now);
  CHECK(ended.spent == 5ms);
}

TEST_CASE("runs share by weight what goes ahead, too") {
  quick_yard yard;
  yard.join("w");
  yard.warm_up("quick", 1ms);
  const run_id first{"one"}, second{"two"};
  yard.table.open_run(first, {3, 0});
  yard.table.open_run(second, {1, 0});
  for (int i = 0; i < 100; ++i) {
    yard.submit(first, "f" + std::to_string(i), "quick");
    yard.submit(second, "s" + std::to_string(i), "quick");
  }
  std::map<std::string, int> got;
  for (const auto& lease : yard.assign())
    ++got[lease.key.run.value];
  CHECK(got["one"] + got["two"] == 50);
  CHECK(std::abs(got["one"] - 38) <= 1);
}

TEST_CASE("what went ahead is queued again with its worker's end") {
  quick_yard yard;
  const auto worker = yard.join("w", 2);
  yard.warm_up("quick", 10ms);
  yard.submit_many(20);
  REQUIRE(yard.assign().size() == 10);
  CHECK(yard.table.leave(worker, job_table::departure::left, yard.now).empty());
  CHECK(yard.table.counts().queued == 20);
  CHECK(yard.table.counts().leased == 0);
  CHECK(yard.table.counts().busy == 0);
  CHECK(yard.table.counts().slots == 0);
}

TEST_CASE("what goes ahead is counted by what it takes itself") {
  quick_yard yard;
  yard.join("w");
  yard.warm_up("longer", 20ms);
  for (int i = 0; i < 20; ++i)
    yard.warm_up("tiny", 10us); // so the worker seems very quick
  yard.submit_many(20, "longer");
  CHECK(yard.assign().size() == 3); // 20 and 20 and 20 ms
}

TEST_CASE("a worker that is slower than others gets less ahead") {
  quick_yard yard;
  yard.join("w");
  yard.warm_up("quick", 1ms);
  for (int i = 0; i < 20; ++i)
    yard.warm_up("other", 20ms);
  yard.submit_many(20);
  CHECK(yard.assign().size() == 3);
}

TEST_CASE("a job of which none like it has ended does not go ahead") {
  quick_yard yard;
  yard.join("w");
  yard.warm_up("quick", 1ms);
  yard.submit_many(1);
  yard.submit_many(5, "unknown"); // rollouts are quick, but these?
  CHECK(yard.assign().size() == 1);
}

TEST_CASE("a run does not pay for time in which its jobs waited ahead") {
  quick_yard yard;
  const auto worker = yard.join("w");
  yard.warm_up("quick", 1ms);
  const run_id other{"other"};
  yard.table.open_run(other);
  yard.submit_many(40);
  for (int i = 0; i < 40; ++i)
    yard.submit(other, "o" + std::to_string(i), "quick");
  const auto leases = yard.assign();
  REQUIRE(leases.size() == 50);
  yard.now += 1s; // the first one hangs
  for (std::size_t i = 1; i < leases.size(); ++i)
    if (leases[i].key.run == yard.run)
      yard.table.give_back(worker, leases[i].key, yard.now);
  yard.join("second", 20);
  std::map<std::string, int> got;
  for (const auto& lease : yard.assign())
    ++got[lease.key.run.value];
  CHECK(got["s"] > 0); // 24 s owed would leave it nothing
}

TEST_CASE("what a suspended worker had in hand does not add to its pause") {
  quick_yard yard;
  yard.join("good");
  yard.warm_up("quick", 1ms);
  const auto bad = yard.join("bad");
  yard.submit_many(2);
  for (const auto& lease : yard.assign())
    yard.end(lease, 1ms);
  yard.submit_many(100);
  std::vector<granted_lease> of_bad;
  for (const auto& lease : yard.assign())
    if (lease.worker == bad) of_bad.push_back(lease);
  REQUIRE(of_bad.size() > 20);
  for (const auto& lease : of_bad)
    yard.finish(lease, "broken");
  CHECK(yard.worker("bad").suspended);
  yard.now += cluster_options{}.breaker_pause;
  yard.table.tick(yard.now);
  CHECK_FALSE(yard.worker("bad").suspended);
}

TEST_CASE("an adopted job's time is what its worker says, not the lease's") {
  quick_yard yard;
  const auto worker = yard.join("w");
  yard.submit("a", "slow");
  yard.table.leave(yard.grant().worker, job_table::departure::replaced,
                   yard.now);
  const auto back = yard.join("w");
  CHECK(back != worker);
  const auto kept = yard.table.adopt(back, yard.run, {"a"}, yard.now);
  REQUIRE(kept);
  const auto done =
      yard.table.finish(back, kept->key, {{}, false, 10s}, yard.now + 1ms);
  CHECK(done.spent == 10s);
}
