#include "tests/cluster/support.hpp"

using namespace brewery;
using namespace std::chrono_literals;

TEST_CASE("a copy passes over the holder and over workers that cannot") {
  job_yard yard;
  join_embedder(yard);
  const auto slow = yard.join("slow", 4);
  yard.play("0", "p", 10s);
  yard.submit("a", "p");
  CHECK(yard.grant().worker == slow);
  const auto idle = yard.join("idle", 4);
  // The other has more to do than the holder.
  for (const auto* id : {"b", "c", "d"})
    yard.submit(id, "endless " + std::string{id});
  yard.assign();
  CHECK(leases_of(yard.table, slow) == 2);
  CHECK(leases_of(yard.table, idle) == 2);
  yard.submit("e", "endless");
  if (yard.grant().worker == slow) {
    yard.submit("f", "endless");
    yard.grant();
  }
  const auto copies = after(yard, 21s);
  REQUIRE_FALSE(copies.empty());
  CHECK(copies[0].key.job == job_id{"a"});
  CHECK(copies[0].worker == idle);
}

TEST_CASE("a copy goes to the first of several other hosts") {
  job_yard yard;
  yard.join("slow", 1, "here");
  yard.play("0", "p", 10s);
  yard.submit("a", "p");
  yard.grant();
  yard.join("near", 1, "here");
  const auto first = yard.join("first", 1, "there");
  yard.join("second", 1, "elsewhere");
  const auto copies = after(yard, 21s);
  REQUIRE(copies.size() == 1);
  CHECK(copies[0].worker == first);
  CHECK(copies[0].waited == 0us); // it was never in the queue
}

TEST_CASE("a stuck job nobody else can take holds up no other's copy") {
  cluster_options options;
  options.backup_share = 1;
  job_yard yard{options};
  const auto idle = yard.join("idle");
  yard.play("0", "p", 10s);
  yard.submit("a", "p");
  yard.finish(yard.grant(), "boom");
  const auto slow = yard.join("slow", 2);
  CHECK(yard.grant().worker == slow); // idle has tried it
  yard.table.drain(idle);
  yard.submit("b", "p");
  CHECK(yard.grant().worker == slow);
  yard.table.join({"idle", "idle#2", "h", 1, {job_kind::rollout}, {"*"}},
                  yard.now);
  const auto copies = after(yard, 21s);
  REQUIRE(copies.size() == 1);
  CHECK(copies[0].key.job == job_id{"b"});
}

TEST_CASE("a stuck job that ended meanwhile holds up no other's copy") {
  cluster_options options;
  options.backup_share = 1;
  job_yard yard{options};
  yard.join("slow", 2);
  yard.play("0", "p", 10s);
  yard.submit("a", "p");
  const auto first = yard.grant();
  yard.now += 1s;
  yard.submit("b", "p");
  yard.grant();
  yard.join("idle", 2);
  yard.now += 21s;
  yard.table.tick(yard.now);
  yard.finish(first);
  const auto copies = yard.assign();
  REQUIRE(copies.size() == 1);
  CHECK(copies[0].key.job == job_id{"b"});
}

TEST_CASE("a stuck job that ended and was adopted unasked gets no copy") {
  job_yard yard;
  const auto slow = yard.join("slow", 1);
  yard.play("0", "p", 10s);
  yard.submit("a", "p");
  const auto lease = yard.grant();
  CHECK(after(yard, 21s).empty()); // stuck, but nobody else is there
  yard.finish(lease);
  yard.table.forget(yard.run, {"a"});
  REQUIRE(yard.table.adopt(slow, yard.run, {"a"}, yard.now));
  yard.join("idle", 1);
  CHECK(yard.assign().empty());
}
