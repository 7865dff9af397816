#include "base/rng.hpp"
#include "cluster/job_spec.hpp"
#include "tests/cluster/support.hpp"

using namespace brewery;
using namespace std::chrono_literals;
using kind = finish_outcome::kind;

namespace {

const run_id first_run{"one"}, second_run{"two"};

void submit_many(job_yard& yard, const run_id& run, int count,
                 const std::string& duration_key = "p") {
  static int number = 0;
  for (int i = 0; i < count; ++i)
    yard.submit(run, "job" + std::to_string(++number), duration_key);
}

/// Which runs the next so many grants go to, by name. Each job is done at
/// once.
std::map<std::string, int> grants(job_yard& yard, int count,
                                  const std::string& error = {}) {
  std::map<std::string, int> out;
  for (int i = 0; i < count; ++i) {
    const auto lease = yard.grant();
    ++out[lease.key.run.value];
    yard.now += 1s;
    yard.finish(lease, lease.key.run == first_run ? error : "");
    yard.table.forget(lease.key.run, lease.key.job);
  }
  return out;
}

worker_spec offering(const std::string& name, std::set<job_kind> roles,
                     std::set<std::string> benchmarks) {
  return {name, name + "#1", "h", 1, std::move(roles), std::move(benchmarks)};
}

} // namespace

TEST_CASE("a search of higher priority goes first") {
  job_yard yard;
  yard.table.open_run(first_run, {1, 0});
  yard.table.open_run(second_run, {1, 5});
  submit_many(yard, first_run, 10);
  submit_many(yard, second_run, 10);
  yard.join("w");
  CHECK(grants(yard, 10) == std::map<std::string, int>{{"two", 10}});
  CHECK(grants(yard, 10) == std::map<std::string, int>{{"one", 10}});
}

TEST_CASE("searches of equal priority share in proportion to their weights") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    rng draw{rng_key(seed, "weights")};
    const auto first = 1 + static_cast<int>(draw.below(8));
    const auto second = 1 + static_cast<int>(draw.below(8));
    INFO("seed " << seed << ": " << first << " to " << second);
    job_yard yard;
    yard.table.open_run(first_run, {static_cast<double>(first), 0});
    yard.table.open_run(second_run, {static_cast<double>(second), 0});
    submit_many(yard, first_run, 600);
    submit_many(yard, second_run, 600);
    yard.join("w");
    constexpr int rounds = 600;
    auto got = grants(yard, rounds);
    const auto fair = static_cast<double>(rounds) * first / (first + second);
    CHECK(std::abs(got["one"] - fair) <= 2);
  }
}

TEST_CASE("it is predicted time that is shared, not the number of jobs") {
  job_yard yard;
  yard.join("w");
  yard.play("1", "short", 1s);
  yard.play("2", "long", 4s);
  yard.table.open_run(first_run);
  yard.table.open_run(second_run);
  submit_many(yard, first_run, 200, "short");
  submit_many(yard, second_run, 200, "long");
  int shorts = 0;
  constexpr int rounds = 100;
  for (int i = 0; i < rounds; ++i) {
    const auto lease = yard.grant();
    const bool is_short = lease.key.run == first_run;
    shorts += is_short ? 1 : 0;
    yard.now += is_short ? 1s : 4s;
    yard.finish(lease);
  }
  CHECK(std::abs(shorts - rounds * 4 / 5) <= 3);
}

TEST_CASE("a search that was idle does not save up turns") {
  SECTION("the other has a queue when it comes") {
    job_yard yard;
    yard.table.open_run(first_run);
    yard.table.open_run(second_run);
    yard.join("w");
    submit_many(yard, first_run, 300);
    grants(yard, 200);
    submit_many(yard, second_run, 100);
    CHECK(std::abs(grants(yard, 100)["two"] - 50) <= 1);
  }
  SECTION("the other has no queue at that moment") {
    job_yard yard;
    yard.table.open_run(first_run);
    yard.table.open_run(second_run);
    yard.join("w");
    submit_many(yard, first_run, 200);
    grants(yard, 200);
    submit_many(yard, second_run, 100);
    submit_many(yard, first_run, 100);
    CHECK(std::abs(grants(yard, 100)["two"] - 50) <= 1);
  }
  SECTION("one of higher priority has just begun") {
    job_yard yard;
    const run_id high{"high"};
    yard.table.open_run(first_run);
    yard.table.open_run(second_run);
    yard.table.open_run(high, {1, 9});
    yard.join("w");
    submit_many(yard, first_run, 300);
    grants(yard, 200);
    submit_many(yard, high, 10);
    submit_many(yard, second_run, 100);
    CHECK(grants(yard, 10) == std::map<std::string, int>{{"high", 10}});
    CHECK(std::abs(grants(yard, 100)["two"] - 50) <= 1);
  }
}

TEST_CASE("a search whose jobs fail gets no more than its share") {
  cluster_options options;
  options.retry_pause = 0ms;
  options.max_failures = 1000;
  options.breaker_failures = 1000;
  job_yard yard{options};
  yard.table.open_run(first_run);
  yard.table.open_run(second_run);
  submit_many(yard, first_run, 50);
  submit_many(yard, second_run, 100);
  yard.join("w");
  CHECK(std::abs(grants(yard, 100, "boom")["two"] - 50) <= 1);
}

TEST_CASE("a search pays for the time its lost leases took, and for no more") {
  cluster_options options;
  options.retry_pause = 0ms;
  options.max_failures = options.breaker_failures = options.max_crashes = 1000;
  job_yard yard{options};
  yard.join("w");
  yard.play("known", "p", 60s);
  yard.table.open_run(first_run);
  yard.table.open_run(second_run);
  submit_many(yard, first_run, 40);
  submit_many(yard, second_run, 40);
  const auto how = GENERATE("given back", "failed", "crashed");
  const auto lose = [&](const granted_lease& lease) {
    yard.now += 10ms;
    if (how == std::string{"given back"}) {
      yard.table.give_back(lease.worker, lease.key, yard.now);
    } else if (how == std::string{"failed"}) {
      yard.finish(lease, "boom");
    } else {
      yard.table.leave(lease.worker, job_table::departure::crashed, yard.now);
      yard.join("w");
    }
  };
  int lost = 0;
  std::map<run_id, int> done;
  while (done[first_run] + done[second_run] < 40) {
    const auto lease = yard.grant();
    if (lease.key.run == first_run && lost < 10) {
      lose(lease);
      ++lost;
      continue;
    }
    yard.now += 60s;
    yard.finish(lease);
    ++done[lease.key.run];
  }
  INFO(how);
  CHECK(std::abs(done[first_run] - 20) <= 1);
}

TEST_CASE("a search waits no longer because another's worker is missing") {
  job_yard yard;
  yard.table.open_run(first_run, {1, 9});
  yard.table.submit(first_run, {{"big"}, {job_kind::integrate, {}}, {}},
                    yard.now);
  yard.submit("a");
  yard.join("w");
  CHECK(yard.assigned() == "a");
}

TEST_CASE("a job goes only to a worker that offers what it needs") {
  struct row {
    const char* what;
    job_needs needs;
    std::set<job_kind> roles;
    std::set<std::string> benchmarks;
    bool fits;
  };
  const std::vector<row> rows{
      {"role and benchmark",
       {job_kind::rollout, "x"},
       {job_kind::rollout},
       {"x", "y"},
       true},
      {"any benchmark",
       {job_kind::rollout, "x"},
       {job_kind::rollout},
       {"*"},
       true},
      {"another benchmark",
       {job_kind::rollout, "x"},
       {job_kind::rollout},
       {"y"},
       false},
      {"no benchmark",
       {job_kind::rollout, "x"},
       {job_kind::rollout},
       {},
       false},
      {"a part of its name",
       {job_kind::rollout, "x"},
       {job_kind::rollout},
       {"xx"},
       false},
      {"another role",
       {job_kind::rollout, "x"},
       {job_kind::integrate},
       {"*"},
       false},
      {"one of two roles",
       {job_kind::embed, ""},
       {job_kind::integrate, job_kind::embed},
       {},
       true},
      {"no benchmark needed",
       {job_kind::integrate, ""},
       {job_kind::integrate},
       {},
       true},
      {"benchmark of no use",
       {job_kind::integrate, ""},
       {job_kind::rollout},
       {"*"},
       false},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    job_yard yard;
    yard.table.join(offering("w", row.roles, row.benchmarks), yard.now);
    yard.table.submit(yard.run, {{"a"}, row.needs, {}}, yard.now);
    CHECK(yard.assign().size() == (row.fits ? 1 : 0));
  }
}

TEST_CASE("the longest job goes first whatever the jobs need") {
  for (const bool rollout_longer : {false, true}) {
    INFO("the rollout is longer: " << rollout_longer);
    job_yard yard;
    const auto run = [&](const std::string& id, job_kind role) {
      yard.table.submit(yard.run, {{id}, {role, {}}, {}}, yard.now);
    };
    yard.table.join(offering("w", {job_kind::rollout, job_kind::integrate}, {}),
                    yard.now);
    for (const auto role : {job_kind::rollout, job_kind::integrate}) {
      run(std::string{to_string(role)}, role);
      const auto lease = yard.grant();
      yard.now += (role == job_kind::rollout) == rollout_longer ? 9s : 1s;
      yard.finish(lease);
    }
    run("i", job_kind::integrate);
    run("r", job_kind::rollout);
    CHECK(yard.assigned() == (rollout_longer ? "r" : "i"));
  }
}

TEST_CASE("a worker whose jobs fail in a row is suspended, the jobs are not") {
  cluster_options options;
  options.breaker_failures = 3;
  options.max_failures = 2;
  job_yard yard{options};
  yard.join_proven("well");
  const auto bad = yard.join("bad", 3);
  for (const auto* id : {"a", "b", "c"})
    yard.submit(id);
  const auto leases = yard.assign();
  REQUIRE(leases.size() == 3);
  for (const auto& lease : leases)
    CHECK(yard.finish(lease, "no disk").what == kind::retried);
  const auto seen = yard.worker("bad");
  CHECK(seen.suspended);
  CHECK(seen.last_error == "no disk");
  CHECK(seen.failed == 3);
  yard.now += 10s;
  CHECK(yard.assign().empty());
  // Each has its whole budget: one more failure elsewhere is not the last, and
  // the suspended worker counts as one that has not tried.
  const auto good = yard.join("good", 3);
  const auto again = yard.assign();
  REQUIRE(again.size() == 3);
  CHECK(again.front().worker == good);
  CHECK(yard.finish(again[0], "boom").what == kind::retried);
  CHECK(yard.finish(again[1]).what == kind::accepted);
  CHECK(yard.table.counts().quarantined == 0);
  CHECK(leases_of(yard.table, bad) == 0);
}

TEST_CASE("a worker is not suspended where nobody does better") {
  cluster_options options;
  options.breaker_failures = 2;
  job_yard yard{options};
  yard.join("v", 2);
  yard.join("w", 2);
  submit_many(yard, yard.run, 4);
  for (const auto& lease : yard.assign())
    yard.finish(lease, "boom");
  for (const auto& seen : yard.table.workers())
    CHECK_FALSE(seen.suspended);
}

TEST_CASE("one job that fails again and again suspends nobody") {
  cluster_options options;
  options.breaker_failures = 3;
  options.max_failures = 4;
  job_yard yard{options};
  yard.join("w");
  yard.submit("a");
  for (int i = 0; i < 7; ++i) {
    yard.finish(yard.grant(), "boom");
    yard.now += options.retry_pause;
    CHECK_FALSE(yard.table.workers().front().suspended);
  }
}

TEST_CASE("a success between failures keeps a worker from being suspended") {
  cluster_options options;
  options.breaker_failures = 2;
  job_yard yard{options};
  yard.join("w");
  submit_many(yard, yard.run, 20);
  for (int i = 0; i < 20; ++i) {
    yard.finish(yard.grant(), i % 2 == 0 ? "boom" : "");
    CHECK_FALSE(yard.table.workers().front().suspended);
  }
}

TEST_CASE("a suspension ends after its pause and doubles up to 16 times") {
  cluster_options options;
  options.breaker_failures = 1;
  options.breaker_pause = 10s;
  job_yard yard{options};
  yard.join_proven("well");
  yard.join("w");
  for (const int times : {1, 2, 4, 8, 16, 16}) {
    INFO("pause " << times);
    submit_many(yard, yard.run, 1);
    yard.finish(yard.grant(), "boom");
    yard.now += times * 10s - 1us;
    yard.table.tick(yard.now);
    CHECK(yard.assign().empty());
    yard.now += 1us;
    yard.table.tick(yard.now);
    CHECK_FALSE(yard.worker("w").suspended);
  }
  // A success starts anew.
  yard.finish(yard.grant());
  yard.finish(yard.grant(), "boom");
  yard.now += 10s;
  yard.table.tick(yard.now);
  CHECK(yard.assign().size() == 1);
}

TEST_CASE("weights hold from the first job on, whatever was known by then") {
  job_yard yard;
  const run_id heavy{"heavy"}, light{"light"};
  yard.table.open_run(heavy, {2, 0});
  yard.table.open_run(light, {1, 0});
  yard.join("w", 6);
  // All of the first run's before anything is known, the other's after.
  for (int i = 0; i < 400; ++i)
    yard.submit(heavy, "h" + std::to_string(i), "same");
  std::map<std::string, int> done;
  for (int round = 0; round < 40; ++round) {
    const auto leases = yard.assign();
    yard.now += 50ms;
    for (const auto& lease : leases) {
      yard.finish(lease);
      ++done[lease.key.run.value];
    }
    if (round > 0) continue;
    done.clear();
    for (int i = 0; i < 400; ++i)
      yard.submit(light, "l" + std::to_string(i), "same");
  }
  CHECK(done["heavy"] == Approx(2 * done["light"]).epsilon(0.05));
}

TEST_CASE("a grade goes to a grader, and before all that waits") {
  job_yard yard;
  grade_job asked;
  asked.id = {"grade"};
  asked.goldens = "g";
  const auto spec = spec_of(make_job(asked), "fp");
  CHECK(spec.needs == job_needs{job_kind::grade, "g"});
  yard.submit("long");
  yard.table.submit(yard.run, spec, yard.now);
  yard.table.join({"player", "p", "h", 1, {job_kind::rollout}, {"fp", "g"}},
                  yard.now);
  CHECK(yard.assigned() == "long");
  yard.submit("next");
  SECTION("but not to one with other goldens") {
    yard.table.join({"other", "o", "h", 1, {job_kind::grade}, {"x"}}, yard.now);
    CHECK(yard.assigned() == "");
  }
  SECTION("and again, when its grader dies") {
    const auto grader = yard.table.join({"both",
                                         "b",
                                         "h",
                                         1,
                                         {job_kind::rollout, job_kind::grade},
                                         {"fp", "g"}},
                                        yard.now);
    CHECK(yard.assigned() == "grade");
    yard.table.leave(grader, job_table::departure::crashed, yard.now);
    yard.table.join({"second",
                     "s",
                     "h",
                     1,
                     {job_kind::rollout, job_kind::grade},
                     {"fp", "g"}},
                    yard.now);
    CHECK(yard.assigned() == "grade");
  }
}
