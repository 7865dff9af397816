#include "tests/cluster/support.hpp"

#include <algorithm>

using namespace brewery;
using namespace std::chrono_literals;
using kind = finish_outcome::kind;

namespace {

/// Jobs of pace "p" are known to take ten seconds.
job_yard practised(const cluster_options& options = {}) {
  job_yard yard{options};
  const auto worker = yard.join("learner");
  yard.play("0", "p", 10s);
  yard.table.leave(worker, job_table::departure::left, yard.now);
  return yard;
}

} // namespace

TEST_CASE("a job that runs twice as long as predicted gets a copy") {
  auto yard = practised();
  const auto slow = yard.join("slow");
  yard.submit("a", "p");
  const auto first = yard.grant();
  const auto idle = yard.join("idle");
  CHECK(after(yard, 20s).empty());
  const auto copies = after(yard, 1us);
  REQUIRE(copies.size() == 1);
  CHECK(copies[0].backup);
  CHECK(copies[0].worker == idle);
  CHECK(copies[0].key.job == job_id{"a"});
  CHECK(copies[0].key.attempt != first.key.attempt);
  CHECK(first.worker == slow);
  CHECK(yard.table.counts().backups == 1);
  CHECK(yard.table.counts().leased == 2);
  // There are never more than two.
  yard.join("more", 4);
  CHECK(after(yard, 600s).empty());
}

TEST_CASE("a job that no worker can do keeps no copy from others") {
  auto yard = practised();
  yard.join("slow");
  yard.submit("a", "p");
  yard.grant();
  yard.table.open_run(yard.elsewhere);
  yard.table.submit(
      yard.elsewhere,
      {{"of a gpu"}, {job_kind::rollout, "fp", {"gpu"}}, "of a gpu"}, yard.now);
  yard.join("idle");
  const auto copies = after(yard, 20s + 1us);
  REQUIRE(copies.size() == 1);
  CHECK(copies[0].backup);
  CHECK(copies[0].key.job == job_id{"a"});
}

TEST_CASE("a short job is not stuck before the least time for copies") {
  cluster_options options;
  options.backup_min = 100s;
  auto yard = practised(options);
  yard.join("slow");
  yard.submit("a", "p");
  yard.grant();
  yard.join("idle");
  CHECK(after(yard, 100s).empty());
  CHECK(after(yard, 1us).size() == 1);
}

TEST_CASE("a copy goes to another host if there is one") {
  for (const bool elsewhere : {false, true}) {
    INFO("another host: " << elsewhere);
    auto yard = practised();
    yard.join("slow", 1, "here");
    yard.submit("a", "p");
    yard.grant();
    const auto near = yard.join("near", 1, "here");
    const auto far = elsewhere ? yard.join("far", 1, "there") : worker_id{};
    yard.join("beside", 1, "here");
    const auto copies = after(yard, 21s);
    REQUIRE(copies.size() == 1);
    CHECK(copies[0].worker == (elsewhere ? far : near));
  }
}

TEST_CASE("no copy goes to the worker that has the job or has failed it") {
  auto yard = practised();
  const auto first = yard.join("first", 4);
  yard.submit("a", "p");
  yard.finish(yard.grant(), "boom");
  const auto second = yard.join("second", 4);
  CHECK(yard.grant().worker == second);
  CHECK(after(yard, 600s).empty());
  CHECK(leases_of(yard.table, first) == 0);
  const auto third = yard.join("third");
  const auto copies = after(yard, 1s);
  REQUIRE(copies.size() == 1);
  CHECK(copies[0].worker == third);
}

TEST_CASE("no copy is made while anything is queued") {
  auto yard = practised();
  yard.join("slow");
  yard.submit("a", "p");
  yard.grant();
  yard.submit("b", "p");
  yard.submit("c", "p");
  yard.now += 60s;
  yard.table.tick(yard.now);
  yard.join("idle", 2);
  CHECK(yard.assigned() == "b c");
  // The first is stuck, but the slot that is free now goes to what waits.
  yard.join("more", 1);
  yard.table.tick(yard.now);
  yard.submit("d", "p");
  CHECK(yard.assigned() == "d");
  yard.join("free", 1);
  const auto copies = after(yard, 0s);
  REQUIRE(copies.size() == 1);
  CHECK(copies[0].key.job == job_id{"a"});
}

TEST_CASE("copies are at most a share of what runs, oldest first") {
  cluster_options options;
  options.backup_share = 0.25;
  auto yard = practised(options);
  yard.join("slow", 8);
  for (int i = 0; i < 8; ++i) {
    yard.submit("a" + std::to_string(i), "p");
    yard.assign();
    yard.now += 1s;
  }
  yard.join("idle", 8);
  auto copies = after(yard, 60s);
  REQUIRE(copies.size() == 2); // a quarter of 8
  CHECK(copies[0].key.job == job_id{"a0"});
  CHECK(copies[1].key.job == job_id{"a1"});
  CHECK(after(yard, 60s).empty());
  // Of the 7 jobs that are left a quarter is less than two.
  yard.finish(copies[0]);
  CHECK(after(yard, 1s).empty());
  yard.finish(copies[1]);
  CHECK(after(yard, 1s).size() == 1);
}

TEST_CASE("a single job may have a copy whatever the share") {
  cluster_options options;
  options.backup_share = 0.0;
  auto yard = practised(options);
  yard.join("slow");
  yard.submit("a", "p");
  yard.grant();
  yard.join("idle");
  CHECK(after(yard, 21s).size() == 1);
}

TEST_CASE("the first result of two wins and the other lease is revoked") {
  for (const bool copy_wins : {false, true}) {
    INFO("the copy wins: " << copy_wins);
    auto yard = practised();
    yard.join("slow");
    yard.submit("a", "p");
    const auto first = yard.grant();
    yard.join("idle");
    const auto copies = after(yard, 21s);
    REQUIRE(copies.size() == 1);
    const auto& winner = copy_wins ? copies[0] : first;
    const auto& loser = copy_wins ? first : copies[0];
    const auto done = yard.finish(winner);
    CHECK(done.what == kind::accepted);
    REQUIRE(done.revoked.size() == 1);
    CHECK(done.revoked[0].worker == loser.worker);
    CHECK(done.revoked[0].key == loser.key);
    CHECK(yard.finish(loser).what == kind::stale);
    CHECK(yard.table.counts().backups_won == (copy_wins ? 1 : 0));
    CHECK(yard.table.counts().backups_lost == (copy_wins ? 0 : 1));
    CHECK(yard.table.counts().leased == 0);
    CHECK(yard.table.counts().delivered == 1);
  }
}

TEST_CASE("a copy outlives the lease it was made for") {
  auto yard = practised();
  const auto slow = yard.join("slow");
  yard.submit("a", "p");
  yard.grant();
  yard.join("idle");
  const auto copies = after(yard, 21s);
  REQUIRE(copies.size() == 1);
  yard.table.leave(slow, job_table::departure::expired, yard.now);
  CHECK(yard.table.counts().queued == 0);
  CHECK(yard.finish(copies[0]).what == kind::accepted);
  CHECK(yard.table.counts().backups_won == 1);
}

TEST_CASE("no copy is made while nothing is known of durations") {
  job_yard yard;
  yard.join("slow");
  yard.submit("a");
  const auto first = yard.grant();
  yard.join("idle");
  CHECK(after(yard, 10min).empty());
  // From the first that ends on, also for jobs that were asked for before.
  yard.submit("b");
  yard.finish(first);
  CHECK(yard.assigned() == "b");
  yard.table.forget(yard.run, {"a"});
  CHECK(after(yard, 21min).size() == 1);
}

TEST_CASE("copies stop when they hardly ever win") {
  struct row {
    int wins, losses;
    bool goes_on;
  };
  // Ten trials, a fifth must win.
  for (const auto& row : {row{0, 9, true}, row{0, 10, false}, row{1, 9, false},
                          row{2, 8, true}, row{10, 0, true}}) {
    INFO(row.wins << " won, " << row.losses << " lost");
    cluster_options options;
    options.backup_trials = 10;
    options.backup_min_wins = 0.2;
    options.backup_factor = 1;
    options.job_limit = 0ms;
    job_yard yard{options};
    yard.join("slow");
    yard.play("seen", "before", 1s);
    yard.join("idle");
    for (int i = 0; i < row.wins + row.losses; ++i) {
      yard.submit(std::to_string(i)); // its pace is taken from the others
      const auto first = yard.grant();
      const auto copies = after(yard, 24h * (1 << i));
      REQUIRE(copies.size() == 1);
      yard.finish(i < row.wins ? copies[0] : first);
    }
    CHECK(yard.table.counts().backups_won
          == static_cast<std::uint64_t>(row.wins));
    CHECK(yard.table.counts().backups_lost
          == static_cast<std::uint64_t>(row.losses));
    yard.submit("last");
    yard.grant();
    CHECK(after(yard, 24h * (1 << 12)).size() == (row.goes_on ? 1 : 0));
  }
}

TEST_CASE("a copy that ends with its run or its worker has lost to nothing") {
  auto yard = practised();
  yard.join("slow");
  yard.submit("a", "p");
  yard.grant();
  const auto idle = yard.join("idle");
  REQUIRE(after(yard, 21s).size() == 1);
  if (GENERATE(true, false))
    yard.table.leave(idle, job_table::departure::left, yard.now);
  else
    yard.table.close_run(yard.run);
  CHECK(yard.table.counts().backups_lost == 0);
}

TEST_CASE("without backups nothing is copied") {
  cluster_options options;
  options.backups = false;
  auto yard = practised(options);
  yard.join("slow");
  yard.submit("a", "p");
  yard.grant();
  yard.join("idle");
  CHECK(after(yard, 600s).empty());
}
