#include "tests/cluster/support.hpp"

using namespace brewery;
using namespace std::chrono_literals;
using kind = finish_outcome::kind;
using departure = job_table::departure;

TEST_CASE("a worker keeps a job that was queued again meanwhile") {
  job_yard yard;
  const auto before = yard.join("w");
  yard.submit("a");
  const auto old = yard.grant();
  yard.table.leave(before, departure::expired, yard.now);
  CHECK(yard.table.counts().queued == 1);
  const auto after = yard.join("w");
  const auto adopted = yard.table.adopt(after, yard.run, {"a"}, yard.now);
  REQUIRE(adopted);
  CHECK_FALSE(adopted->delivered);
  CHECK(adopted->key.attempt != old.key.attempt);
  CHECK(yard.table.counts().queued == 0);
  CHECK(yard.table.counts().adopted == 1);
  CHECK(yard.table.holds(after, adopted->key));
  CHECK(yard.assign().empty());
  CHECK(yard.finish({before, old.key}).what == kind::stale);
  CHECK(yard.finish({after, adopted->key}).what == kind::accepted);
}

TEST_CASE("a job adopted before it is submitted runs once") {
  job_yard yard;
  const auto worker = yard.join("w");
  const auto adopted = yard.table.adopt(worker, yard.run, {"a"}, yard.now);
  REQUIRE(adopted);
  CHECK(yard.submit("a"));
  yard.join("idle");
  CHECK(yard.assign().empty());
  CHECK(yard.finish({worker, adopted->key}).what == kind::accepted);
}

TEST_CASE("a result that is there before anyone asks is not asked for again") {
  job_yard yard;
  const auto worker = yard.join("w");
  const auto adopted = yard.table.adopt(worker, yard.run, {"a"}, yard.now);
  REQUIRE(adopted);
  CHECK(yard.finish({worker, adopted->key}).what == kind::accepted);
  CHECK_FALSE(yard.submit("a"));
  CHECK(yard.assign().empty());
  CHECK(yard.table.counts().delivered == 1);
  yard.table.forget(yard.run, {"a"});
  CHECK(yard.submit("a"));
  CHECK(yard.assigned() == "a");
}

TEST_CASE("what nobody asked for is dropped with its last lease") {
  for (int way = 0; way < 4; ++way) {
    INFO("way " << way);
    job_yard yard;
    const auto worker = yard.join("w");
    const auto adopted = yard.table.adopt(worker, yard.run, {"a"}, yard.now);
    REQUIRE(adopted);
    if (way == 0) yard.table.leave(worker, departure::crashed, yard.now);
    if (way == 1) yard.table.leave(worker, departure::left, yard.now);
    if (way == 2) yard.table.give_back(worker, adopted->key, yard.now);
    if (way == 3) yard.finish({worker, adopted->key}, "boom");
    CHECK(yard.table.counts().queued == 0);
    CHECK(yard.table.counts().leased == 0);
    CHECK(yard.table.counts().delivered == 0);
    yard.join("v");
    CHECK(yard.assign().empty());
  }
}

TEST_CASE("a worker that holds a delivered result is told so") {
  job_yard yard;
  const auto v = yard.join("v");
  yard.submit("a");
  yard.finish(yard.grant());
  const auto w = yard.join("w");
  const auto adopted = yard.table.adopt(w, yard.run, {"a"}, yard.now);
  REQUIRE(adopted);
  CHECK(adopted->delivered);
  // No lease: it occupies nobody and its result would be one too many.
  CHECK(leases_of(yard.table, v) + leases_of(yard.table, w) == 0);
  CHECK(yard.table.counts().adopted == 0);
  CHECK(yard.finish({w, adopted->key}).what == kind::stale);
}

TEST_CASE("a job has two leases at most") {
  job_yard yard;
  for (const auto* name : {"u", "v", "w"})
    yard.join(name);
  yard.submit("a");
  const auto first = yard.grant();
  std::vector<worker_id> others;
  for (const auto& worker : yard.table.workers())
    if (worker.id != first.worker) others.push_back(worker.id);
  const auto second = yard.table.adopt(others[0], yard.run, {"a"}, yard.now);
  REQUIRE(second);
  CHECK_FALSE(yard.table.adopt(others[1], yard.run, {"a"}, yard.now));
  CHECK(yard.table.counts().leased == 2);
  // The first result ends the other lease.
  const auto done = yard.finish({others[0], second->key});
  CHECK(done.what == kind::accepted);
  REQUIRE(done.revoked.size() == 1);
  CHECK(done.revoked.front().worker == first.worker);
  CHECK(done.revoked.front().key == first.key);
  CHECK(yard.table.counts().leased == 0);
}

TEST_CASE("a worker that names one job twice has one lease of it") {
  job_yard yard;
  const auto worker = yard.join("w", 4);
  yard.submit("a");
  REQUIRE(yard.table.adopt(worker, yard.run, {"a"}, yard.now));
  CHECK_FALSE(yard.table.adopt(worker, yard.run, {"a"}, yard.now));
  CHECK(yard.table.counts().leased == 1);
  yard.table.leave(worker, departure::crashed, yard.now);
  CHECK(yard.table.counts().leased == 0);
  CHECK(yard.table.counts().queued == 1);
  yard.join("v");
  CHECK(yard.assigned() == "a");
  CHECK(yard.table.close_run(yard.run).size() == 1);
}

TEST_CASE("nobody wants the jobs of a search that is closed or unknown") {
  job_yard yard;
  const auto worker = yard.join("w");
  CHECK_FALSE(yard.table.adopt(worker, {"unknown"}, {"a"}, yard.now));
  yard.submit("a");
  yard.grant();
  yard.table.close_run(yard.run);
  CHECK_FALSE(yard.table.adopt(worker, yard.run, {"a"}, yard.now));
  CHECK(yard.table.counts().adopted == 0);
  CHECK(leases_of(yard.table, worker) == 0);
}

TEST_CASE("a worker that is gone adopts nothing") {
  job_yard yard;
  const auto worker = yard.join("w");
  yard.submit("a");
  yard.table.leave(worker, departure::left, yard.now);
  CHECK_FALSE(yard.table.adopt(worker, yard.run, {"a"}, yard.now));
  CHECK(yard.table.counts().queued == 1);
}

TEST_CASE("adopted jobs occupy slots even beyond those there are") {
  job_yard yard;
  const auto worker = yard.join("w", 1);
  const auto a = yard.table.adopt(worker, yard.run, {"a"}, yard.now);
  const auto b = yard.table.adopt(worker, yard.run, {"b"}, yard.now);
  REQUIRE(a);
  REQUIRE(b);
  for (const auto* id : {"a", "b", "c"})
    yard.submit(id);
  CHECK(yard.assign().empty());
  yard.finish({worker, a->key});
  CHECK(yard.assign().empty());
  yard.finish({worker, b->key});
  CHECK(yard.assigned() == "c");
}
