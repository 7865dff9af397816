#include "tests/cluster/support.hpp"

using namespace brewery;
using namespace std::chrono_literals;
using kind = finish_outcome::kind;

TEST_CASE("only a delivered job is forgotten") {
  job_yard yard;
  yard.join("w");
  yard.submit("a");
  yard.table.forget(yard.run, {"a"});
  CHECK(yard.table.counts().queued == 1);
  const auto lease = yard.grant();
  yard.table.forget(yard.run, {"a"});
  CHECK(yard.table.holds(lease.worker, lease.key));
  CHECK(yard.finish(lease).what == kind::accepted);
  yard.table.forget(yard.run, {"unknown"});
  CHECK(yard.table.counts().delivered == 1);
}

TEST_CASE("failures of jobs that are gone suspend nobody") {
  for (const bool gone : {false, true}) {
    INFO("the first job is gone: " << gone);
    cluster_options options;
    options.breaker_failures = 2;
    job_yard yard{options};
    yard.join("well");
    yard.submit("x");
    yard.finish(yard.grant());
    yard.submit("y");
    const auto busy = yard.grant();
    yard.join("w");
    yard.submit("a");
    yard.finish(yard.grant(), "boom");
    yard.submit("b");
    const auto second = yard.grant();
    if (gone) { // done by the other one meanwhile
      yard.finish(busy);
      const auto again = yard.grant();
      CHECK(again.worker == busy.worker);
      yard.finish(again);
      yard.table.forget(yard.run, {"a"});
    }
    yard.finish(second, "boom");
    CHECK(yard.worker("w").suspended == !gone);
  }
}

TEST_CASE("no two leases have one attempt number") {
  job_yard yard;
  const auto worker = yard.join("w");
  std::set<std::uint64_t> attempts;
  const auto fresh = [&](const lease_key& key) {
    return attempts.insert(key.attempt).second;
  };
  for (const auto* id : {"a", "b", "c"}) {
    yard.submit(id);
    const auto lease = yard.grant();
    CHECK(fresh(lease.key));
    yard.finish(lease);
    const auto adopted = yard.table.adopt(worker, yard.run, {id}, yard.now);
    REQUIRE(adopted);
    CHECK(fresh(adopted->key)); // delivered: no lease, but a number
  }
}

TEST_CASE("a job handed back by one of two workers stays with the other") {
  job_yard yard;
  const auto v = yard.join("v");
  const auto w = yard.join("w");
  yard.submit("a");
  const auto first = yard.grant();
  const auto other = first.worker == v ? w : v;
  const auto second = yard.table.adopt(other, yard.run, {"a"}, yard.now);
  REQUIRE(second);
  yard.table.give_back(first.worker, first.key, yard.now);
  CHECK(yard.table.counts().queued == 0);
  CHECK(yard.finish({other, second->key}).what == kind::accepted);
}

TEST_CASE("of two leases only the one beyond the limit ends") {
  cluster_options options;
  options.job_limit = 60s;
  options.backups = false;
  job_yard yard{options};
  const auto v = yard.join("v");
  const auto w = yard.join("w");
  yard.submit("a");
  const auto first = yard.grant();
  yard.now += 30s;
  const auto other = first.worker == v ? w : v;
  const auto second = yard.table.adopt(other, yard.run, {"a"}, yard.now);
  REQUIRE(second);
  yard.now += 31s;
  const auto late = yard.table.tick(yard.now);
  REQUIRE(late.revoked.size() == 1);
  CHECK(late.revoked[0].key == first.key);
  CHECK(late.revoked[0].worker == first.worker);
  CHECK(yard.finish({other, second->key}).what == kind::accepted);
}

TEST_CASE("workers are listed in order with what they have and did") {
  job_yard yard;
  for (const auto* name : {"u", "v", "w", "x", "y"})
    yard.join(name, 2);
  yard.submit("a");
  yard.finish(yard.grant());
  yard.submit("b");
  yard.finish(yard.grant(), "boom");
  yard.submit("c");
  CHECK(yard.assign().size() == 2);
  const auto all = yard.table.workers();
  REQUIRE(all.size() == 5);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].id == worker_id{i + 1});
    CHECK_FALSE(all[i].draining);
  }
  CHECK(all[0].done == 1);
  CHECK(all[0].failed == 0);
  CHECK(all[1].failed == 1);
  CHECK(all[1].last_error == "boom");
  std::uint32_t leases = 0;
  for (const auto& seen : all)
    leases += seen.busy;
  CHECK(leases == 2);
  CHECK(leases_of(yard.table, worker_id{99}) == 0);
}

TEST_CASE("the oldest of all leases is told") {
  job_yard yard;
  yard.join("w", 3);
  std::vector<granted_lease> leases;
  for (const auto* id : {"a", "b", "c"}) {
    yard.now += 2s;
    yard.submit(id);
    leases.push_back(yard.grant());
  }
  CHECK(yard.table.oldest_lease() == microseconds{2s});
  yard.finish(leases[0]);
  CHECK(yard.table.oldest_lease() == microseconds{4s});
}

TEST_CASE("the latest 1000 jobs that were given up are listed") {
  cluster_options options;
  options.max_failures = 1;
  job_yard yard{options};
  yard.join("w");
  for (int i = 0; i <= 1000; ++i) {
    yard.submit("j" + std::to_string(i), "p");
    yard.finish(yard.grant(), "boom");
  }
  REQUIRE(yard.table.quarantine().size() == 1000);
  CHECK(yard.table.quarantine().front().job == job_id{"j1"});
  CHECK(yard.table.quarantine().back().job == job_id{"j1000"});
  CHECK(yard.table.counts().quarantined == 1001);
}

TEST_CASE("jobs that were given up count while their run is open") {
  cluster_options options;
  options.max_failures = 1;
  job_yard yard{options};
  yard.table.open_run(yard.elsewhere, {}, 3); // before a restart
  CHECK(yard.table.counts().quarantined == 3);
  yard.join("w");
  yard.submit("a");
  yard.finish(yard.grant(), "boom");
  yard.table.forget(yard.run, {"a"}); // the verdict is in the log
  CHECK(yard.table.counts().quarantined == 4);
  yard.table.close_run(yard.elsewhere);
  CHECK(yard.table.counts().quarantined == 1);
  CHECK(yard.table.quarantine().size() == 1);
  yard.table.close_run(yard.run);
  CHECK(yard.table.counts().quarantined == 0);
  CHECK(yard.table.quarantine().empty());
  yard.table.open_run(yard.run, {}, 1);
  CHECK(yard.table.counts().quarantined == 1);
}
