#include "tests/cluster/support.hpp"

using namespace brewery;
using namespace std::chrono_literals;
using kind = finish_outcome::kind;
using departure = job_table::departure;

TEST_CASE("a job is queued, leased, delivered and then gone") {
  job_yard yard;
  const auto worker = yard.join("w");
  const auto& counts = yard.table.counts();
  CHECK(yard.submit("a"));
  CHECK(counts.queued == 1);
  yard.now = 3s;
  const auto lease = yard.grant();
  CHECK(lease.worker == worker);
  CHECK(lease.key.run == yard.run);
  CHECK(lease.key.job == job_id{"a"});
  CHECK(lease.key.epoch == 7);
  CHECK(lease.waited == 3s);
  CHECK_FALSE(lease.backup);
  CHECK(counts.queued == 0);
  CHECK(counts.leased == 1);
  CHECK(yard.table.holds(worker, lease.key));
  CHECK(yard.table.oldest_lease() == microseconds{3s});
  yard.now = 5s;
  const auto done = yard.finish(lease);
  CHECK(done.what == kind::accepted);
  CHECK(done.spent == 2s);
  CHECK(done.revoked.empty());
  CHECK(counts.leased == 0);
  CHECK(counts.delivered == 1);
  CHECK_FALSE(yard.table.holds(worker, lease.key));
  CHECK_FALSE(yard.table.oldest_lease());
  yard.table.forget(yard.run, {"a"});
  CHECK(counts.delivered == 0);
  CHECK(yard.table.workers().front().done == 1);
}

TEST_CASE("a worker gets no more jobs than it has free slots") {
  job_yard yard;
  const auto two = yard.join("two", 2);
  for (const auto* id : {"a", "b", "c", "d"})
    yard.submit(id);
  const auto first = yard.assign();
  CHECK(first.size() == 2);
  CHECK(yard.assign().empty());
  yard.finish(first.front());
  CHECK(yard.assign().size() == 1);
  CHECK(yard.assign().empty());
  CHECK(leases_of(yard.table, two) == 2);
  CHECK(yard.table.counts().slots == 2);
  CHECK(yard.table.counts().busy == 2);
}

TEST_CASE("jobs go to the least busy worker first") {
  job_yard yard;
  const auto big = yard.join("big", 4);
  const auto small = yard.join("small", 1);
  for (const auto* id : {"a", "b", "c"})
    yard.submit(id);
  yard.assign();
  CHECK(leases_of(yard.table, big) == 2);
  CHECK(leases_of(yard.table, small) == 1);
}

TEST_CASE("while durations are unknown jobs go in order of submission") {
  job_yard yard;
  for (const auto* id : {"c", "a", "b"})
    yard.submit(id);
  yard.join("w", 3);
  CHECK(yard.assigned() == "c a b");
}

TEST_CASE("the longest predicted job goes first once durations are learned") {
  job_yard yard;
  const auto worker = yard.join("w", 1);
  yard.play("1", "short", 1s);
  yard.play("2", "long", 10s);
  yard.table.leave(worker, departure::left, yard.now);
  // What is not known is taken for the mean of its kind, between the two.
  yard.submit("s1", "short");
  yard.submit("new", "new");
  yard.submit("l1", "long");
  yard.submit("s2", "short");
  yard.submit("l2", "long");
  yard.join("v", 5);
  CHECK(yard.assigned() == "l1 l2 new s1 s2");
}

TEST_CASE("a result under any key but a live lease is refused and counted") {
  job_yard yard;
  yard.join("v");
  yard.join("w");
  yard.submit("a");
  const auto lease = yard.grant();
  const worker_id other{lease.worker.value == 1 ? 2u : 1u};
  auto attempt = lease.key, epoch = lease.key, job = lease.key, run = lease.key;
  ++attempt.attempt;
  --epoch.epoch;
  job.job = {"b"};
  run.run = {"t"};
  std::uint64_t stale = 0;
  for (const auto& key : {attempt, epoch, job, run}) {
    INFO(key.run.value << '/' << key.job.value << " attempt " << key.attempt
                       << " epoch " << key.epoch);
    CHECK(yard.finish({lease.worker, key}).what == kind::stale);
    CHECK(yard.finish({lease.worker, key}, "broke").what == kind::stale);
    stale += 2;
    CHECK(yard.table.counts().stale == stale);
  }
  CHECK(yard.finish({other, lease.key}).what == kind::stale);
  CHECK(yard.finish({worker_id{99}, lease.key}).what == kind::stale);
  CHECK(yard.table.counts().leased == 1);
  CHECK(yard.finish(lease).what == kind::accepted);
  CHECK(yard.finish(lease).what == kind::stale);
  CHECK(yard.table.counts().stale == stale + 3);
  CHECK(yard.table.counts().delivered == 1);
}

TEST_CASE("the jobs of a worker that is gone are the first in line") {
  for (const auto how :
       {departure::crashed, departure::expired, departure::left}) {
    INFO("departure " << static_cast<int>(how));
    job_yard yard;
    const auto gone = yard.join("gone");
    yard.play("1", "short", 1s);
    yard.play("2", "long", 10s);
    yard.submit("mine", "short");
    yard.grant();
    yard.submit("longer", "long");
    CHECK(yard.table.leave(gone, how, yard.now).empty());
    CHECK(yard.table.counts().leased == 0);
    CHECK(yard.table.counts().slots == 0);
    CHECK(yard.table.counts().expired == (how == departure::expired ? 1 : 0));
    CHECK(yard.table.leave(gone, how, yard.now).empty()); // told twice
    yard.join("v", 2);
    CHECK(yard.assigned() == "mine longer");
  }
}

TEST_CASE("a second session of one incarnation ends the first") {
  job_yard yard;
  const auto first = yard.join("w");
  yard.submit("a");
  const auto lease = yard.grant();
  const auto second = yard.join("w");
  CHECK(second != first);
  CHECK(yard.table.session_of("w#1") == second);
  CHECK(yard.table.workers().size() == 1);
  CHECK(yard.table.counts().slots == 1);
  CHECK(yard.finish(lease).what == kind::stale);
  CHECK(yard.grant().worker == second);
  // The end of the old session does not end the new one.
  yard.table.leave(first, departure::crashed, yard.now);
  CHECK(yard.table.session_of("w#1") == second);
}

TEST_CASE("a draining worker gets no more jobs and finishes what it has") {
  job_yard yard;
  const auto worker = yard.join("w", 2);
  yard.submit("a");
  const auto lease = yard.grant();
  yard.table.drain(worker);
  yard.submit("b");
  CHECK(yard.assign().empty());
  CHECK(yard.finish(lease).what == kind::accepted);
  CHECK(yard.assign().empty());
  CHECK(yard.table.workers().front().draining);
}

TEST_CASE("closing a search revokes its leases and drops its queue") {
  job_yard yard;
  const run_id other{"t"};
  yard.table.open_run(other);
  const auto worker = yard.join("w", 2);
  yard.submit("a");
  const auto lease = yard.grant();
  yard.submit("b");
  const auto second = yard.grant();
  yard.submit("c");
  yard.submit(other, "d", "d");
  const auto revoked = yard.table.close_run(yard.run);
  REQUIRE(revoked.size() == 2);
  for (const auto& one : revoked) {
    CHECK(one.worker == worker);
    CHECK((one.key == lease.key || one.key == second.key));
  }
  CHECK(yard.table.close_run(yard.run).empty());
  CHECK(yard.finish(lease).what == kind::stale);
  CHECK(yard.table.counts().queued == 1);
  CHECK(yard.assigned() == "d");
  CHECK(leases_of(yard.table, worker) == 1);
}

TEST_CASE("dropping what is queued leaves leases alone") {
  job_yard yard;
  yard.join("w");
  yard.submit("a");
  const auto lease = yard.grant();
  yard.submit("b");
  yard.submit("c");
  auto dropped = yard.table.drop_queued(yard.run);
  std::sort(dropped.begin(), dropped.end());
  CHECK(dropped == std::vector<job_id>{{"b"}, {"c"}});
  CHECK(yard.table.counts().queued == 0);
  CHECK(yard.table.drop_queued({"unknown"}).empty());
  CHECK(yard.finish(lease).what == kind::accepted);
  CHECK(yard.assign().empty());
  // They may be asked for again.
  CHECK(yard.submit("b"));
  CHECK(yard.assigned() == "b");
}

TEST_CASE("while paused nothing is granted and results still count") {
  job_yard yard;
  yard.join("w", 2);
  yard.submit("a");
  const auto lease = yard.grant();
  yard.submit("b");
  yard.table.pause({yard.elsewhere}, yard.elsewhere);
  CHECK(yard.table.paused());
  CHECK(yard.assign().empty());
  CHECK(yard.finish(lease).what == kind::accepted);
  CHECK(yard.assign().empty());
  yard.table.pause({}, {});
  CHECK(yard.assigned() == "b");
}

TEST_CASE(
    "of a run whose log alone is stuck nothing is granted, of others all") {
  job_yard yard;
  yard.join("w", 2);
  yard.table.open_run(yard.elsewhere);
  yard.submit("a");
  yard.submit(yard.elsewhere, "c", "c");
  yard.table.pause({yard.elsewhere}, {});
  CHECK_FALSE(yard.table.paused());
  CHECK(yard.assigned() == "a");
  CHECK(yard.assign().empty());
  yard.table.pause({}, {});
  CHECK(yard.assigned() == "c");
}

TEST_CASE("a job that runs beyond the limit has failed and is revoked") {
  cluster_options options;
  options.job_limit = 60s;
  options.max_failures = 2;
  options.backups = false;
  job_yard yard{options};
  yard.join("v");
  yard.join("w");
  yard.submit("a");
  const auto first = yard.grant();
  yard.now += 60s;
  CHECK(yard.table.tick(yard.now).revoked.empty());
  yard.now += 1us;
  const auto late = yard.table.tick(yard.now);
  REQUIRE(late.revoked.size() == 1);
  CHECK(late.revoked.front().worker == first.worker);
  CHECK(late.revoked.front().key == first.key);
  CHECK(late.given_up.empty());
  CHECK(yard.finish(first).what == kind::stale);
  const auto second = yard.grant();
  CHECK(second.worker != first.worker);
  yard.now += 61s;
  const auto again = yard.table.tick(yard.now);
  REQUIRE(again.given_up.size() == 1);
  CHECK(again.given_up.front().job == job_id{"a"});
  CHECK(contains(again.given_up.front().reason, "it ran longer than 60 s"));
}
