#include "tests/cluster/support.hpp"

using namespace brewery;
using namespace std::chrono_literals;

TEST_CASE("a search that paused saves up no turns either") {
  job_yard yard;
  const run_id busy{"busy"}, paused{"paused"};
  yard.table.open_run(busy);
  yard.table.open_run(paused);
  yard.join("w");
  const auto count = [&](int rounds) {
    int out = 0;
    for (int i = 0; i < rounds; ++i) {
      const auto lease = yard.grant();
      out += lease.key.run == paused ? 1 : 0;
      yard.now += 1s;
      yard.finish(lease);
    }
    return out;
  };
  yard.submit(paused, "first", "p");
  count(1);
  for (int i = 0; i < 300; ++i)
    yard.submit(busy, "b" + std::to_string(i), "p");
  count(200);
  for (int i = 0; i < 100; ++i)
    yard.submit(paused, "p" + std::to_string(i), "p");
  CHECK(std::abs(count(100) - 50) <= 1);
}

TEST_CASE("a search that asks for one job at a time saves up no turns") {
  job_yard yard;
  const auto busy = yard.run;
  const auto single = yard.elsewhere;
  yard.table.open_run(single);
  yard.join("w");
  for (int i = 0; i < 400; ++i)
    yard.submit(busy, "b" + std::to_string(i), "p");
  int singles = 0;
  bool waits = true; // nothing of it is queued
  for (int i = 0; i < 300; ++i) {
    if (i >= 200 && waits) {
      yard.submit(single, "s" + std::to_string(i), "p");
      waits = false;
    }
    const auto lease = yard.grant();
    if (lease.key.run == single) {
      ++singles;
      waits = true;
    }
    yard.now += 1s;
    yard.finish(lease);
  }
  CHECK(singles <= 51);
  CHECK(singles >= 30);
}

TEST_CASE("workers that offer the same benchmark share it, others do not") {
  job_yard yard;
  const auto join = [&](const std::string& name, std::set<job_kind> roles,
                        std::set<std::string> benchmarks) {
    return yard.table.join(
        {name, name + "#1", "h", 1, std::move(roles), std::move(benchmarks)},
        yard.now);
  };
  join("x", {job_kind::rollout}, {"x"});
  const auto y = join("y", {job_kind::rollout}, {"y"});
  join("embedder", {job_kind::embed}, {"y"});
  yard.table.submit(yard.run, {{"a"}, {job_kind::rollout, "y"}, {}}, yard.now);
  CHECK(yard.grant().worker == y);
}

TEST_CASE("of equally busy workers the one longest without a job is next") {
  job_yard yard;
  const auto v = yard.join("v");
  const auto w = yard.join("w");
  std::vector<worker_id> order;
  for (const auto* id : {"a", "b", "c", "d"}) {
    yard.submit(id);
    const auto lease = yard.grant();
    order.push_back(lease.worker);
    yard.finish(lease);
  }
  CHECK(order == std::vector{v, w, v, w});
}

TEST_CASE("a failed job passes over workers that cannot do it") {
  job_yard yard;
  join_embedder(yard);
  const auto first = yard.join("first");
  yard.submit("a");
  CHECK(yard.grant().worker == first);
  yard.finish({first, {yard.run, {"a"}, 1, 7}}, "boom");
  const auto second = yard.join("second");
  CHECK(yard.grant().worker == second);
}

TEST_CASE("a failed job passes over the worker that failed it") {
  job_yard yard;
  const auto first = yard.join("first", 4);
  yard.submit("a");
  const auto lease = yard.grant();
  const auto second = yard.join("second", 4);
  for (const auto* id : {"b", "c", "d"})
    yard.submit(id);
  yard.assign();
  CHECK(leases_of(yard.table, second) == 2);
  // The first is less busy now.
  yard.finish(lease, "boom");
  CHECK(leases_of(yard.table, first) == 1);
  CHECK(yard.grant().worker == second);
}

TEST_CASE("a grant says how long its job was queued, the last time only") {
  job_yard yard;
  const auto first = yard.join("first");
  yard.now = 2s;
  yard.submit("a");
  yard.now = 5s;
  const auto lease = yard.grant();
  CHECK(lease.waited == 3s);
  yard.now = 9s;
  yard.finish(lease, "boom");
  yard.table.drain(first);
  yard.now = 10s;
  yard.join("second");
  CHECK(yard.grant().waited == 1s);
}

TEST_CASE("whatever kinds of jobs wait, the longest of all goes first") {
  job_yard yard;
  const std::set<job_kind> roles{job_kind::embed, job_kind::integrate,
                                 job_kind::rollout};
  yard.table.join({"w", "w#1", "h", 1, roles, {}}, yard.now);
  const auto submit = [&](const std::string& id, job_kind role) {
    yard.table.submit(yard.run, {{id}, {role, {}}, {}}, yard.now);
  };
  const std::pair<job_kind, std::chrono::seconds> takes[] = {
      {job_kind::rollout, 5s},
      {job_kind::integrate, 1s},
      {job_kind::embed, 9s}};
  for (const auto& [role, spent] : takes) {
    submit("first", role);
    const auto lease = yard.grant();
    yard.now += spent;
    yard.finish(lease);
    yard.table.forget(yard.run, {"first"});
  }
  for (const auto& [role, spent] : takes)
    submit(std::string{to_string(role)}, role);
  CHECK(yard.assigned() == "embed");
}

TEST_CASE("equal priority and work go to the search of the lower name") {
  job_yard yard;
  const run_id one{"one"}, two{"two"};
  yard.table.open_run(two);
  yard.table.open_run(one);
  yard.submit(two, "b", "p");
  yard.submit(one, "a", "p");
  yard.join("w");
  CHECK(yard.assigned() == "a");
}

namespace {

/// What a worker with one slot is given, one after the other.
std::vector<std::string> order_of(job_yard& yard, int jobs) {
  std::vector<std::string> out;
  for (int i = 0; i < jobs; ++i) {
    const auto lease = yard.grant();
    out.push_back(lease.key.job.value);
    yard.finish(lease);
  }
  return out;
}

job_spec rollout(const std::string& id, const std::string& pace,
                 std::uint32_t stages_after, bool holds = false) {
  return {{id}, {job_kind::rollout, "fp"}, pace, stages_after, holds};
}

} // namespace

TEST_CASE("of jobs of a stage the one that begins the longest chain is first") {
  job_yard yard;
  yard.join("w");
  yard.play("once", "1", 1s);
  yard.play("twice", "50", 50s);
  yard.play("again", "60", 60s);
  const auto submit = [&](const std::string& id, const std::string& pace,
                          std::vector<std::vector<std::string>> then) {
    auto spec = rollout(id, pace, 0);
    spec.then = std::move(then);
    yard.table.submit(yard.run, spec, yard.now);
  };
  submit("third", "60", {});
  submit("last", "1", {{"1"}});
  submit("second", "1", {{"1", "60"}});
  submit("first", "1", {{"50"}, {"1", "50"}});
  CHECK(order_of(yard, 4)
        == std::vector<std::string>{"first", "second", "third", "last"});
}

TEST_CASE("before the longest go jobs that more waits for") {
  job_yard yard;
  const auto gone = yard.join("gone");
  yard.play("once", "slow", 60s);
  yard.play("twice", "fast", 1s);
  const auto submit = [&](const job_spec& spec) {
    yard.table.submit(yard.run, spec, yard.now);
  };
  submit(rollout("lost", "fast", 0));
  CHECK(yard.assigned() == "lost");
  submit(rollout("scores", "slow", 0));
  submit(rollout("scores first", "slow", 1));
  submit(rollout("teaches", "fast", 3));
  submit(rollout("teaches long", "slow", 3));
  submit(rollout("grades", "fast", 0, true));
  yard.table.leave(gone, job_table::departure::left, yard.now);
  yard.join("w");
  CHECK(order_of(yard, 6)
        == std::vector<std::string>{"grades", "lost", "teaches long", "teaches",
                                    "scores first", "scores"});
}
