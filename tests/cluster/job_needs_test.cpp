/// Tags of workers, slots of their own for a benchmark, and shares that change.

#include "cluster/job_spec.hpp"
#include "tests/cluster/support.hpp"

#include <map>
#include <random>

using namespace brewery;
using Catch::Contains;

namespace {

struct needy_yard : job_yard {
  worker_id join_with(const std::string& name, std::set<std::string> tags,
                      std::uint32_t slots = 1,
                      std::map<std::string, std::uint32_t> slots_for = {}) {
    worker_spec spec{name, name + "#1", "h", slots, {job_kind::rollout}, {"*"}};
    spec.tags = std::move(tags);
    spec.slots_for = std::move(slots_for);
    return table.join(std::move(spec), now);
  }
  void submit_with(const std::string& id, std::set<std::string> tags,
                   const std::string& benchmark = "fp") {
    table.submit(
        run, {{id}, {job_kind::rollout, benchmark, std::move(tags)}, id}, now);
  }
  std::map<worker_id, std::string> by_worker() {
    std::map<worker_id, std::string> out;
    for (const auto& lease : assign())
      out[lease.worker] += lease.key.job.value;
    return out;
  }
};

} // namespace

TEST_CASE("a job that needs tags goes only to a worker that has them all") {
  needy_yard yard;
  yard.join_with("plain", {});
  yard.join_with("half", {"gpu"});
  const auto able = yard.join_with("able", {"big", "gpu", "more"});
  yard.submit_with("a", {"big", "gpu"});
  CHECK(yard.by_worker() == std::map<worker_id, std::string>{{able, "a"}});
}

TEST_CASE("workers with tags also do jobs that need none") {
  needy_yard yard;
  const auto able = yard.join_with("able", {"gpu"});
  yard.submit_with("a", {});
  CHECK(yard.by_worker() == std::map<worker_id, std::string>{{able, "a"}});
}

TEST_CASE("a need that no worker meets is told in one line") {
  needy_yard yard;
  yard.join_with("plain", {});
  yard.join_with("other", {"cpu"});
  yard.submit_with("a", {"gpu"});
  yard.submit_with("b", {"gpu"});
  CHECK(yard.assigned().empty());
  REQUIRE(yard.table.why_waiting().size() == 1);
  CHECK(yard.table.why_waiting().front()
        == "s: rollout jobs wait (2): no worker has the needed tags: gpu "
           "(connected: 2)");
}

TEST_CASE("a benchmark with slots of its own takes no more of a worker") {
  needy_yard yard;
  const auto worker = yard.join_with("w", {}, 4, {{"sheets", 2}});
  for (const auto* id : {"a", "b", "c"})
    yard.submit_with(id, {}, "sheets");
  CHECK(yard.by_worker() == std::map<worker_id, std::string>{{worker, "ab"}});
  CHECK(yard.table.why_waiting().at(0)
        == "s: rollout jobs wait (1): all slots are busy that workers have for "
           "sheets (workers: 1)");
  yard.submit_with("x", {}, "fp");
  yard.submit_with("y", {}, "fp");
  yard.submit_with("z", {}, "fp");
  CHECK(yard.by_worker() == std::map<worker_id, std::string>{{worker, "xy"}});
}

TEST_CASE("an adopted job takes its benchmark's slot once it is known") {
  needy_yard yard;
  const auto worker = yard.join_with("w", {}, 4, {{"sheets", 1}});
  REQUIRE(yard.table.adopt(worker, yard.run, {"a"}, yard.now));
  yard.submit_with("a", {}, "sheets");
  yard.submit_with("b", {}, "sheets");
  CHECK(yard.assigned().empty());
  yard.submit_with("x", {}, "fp");
  CHECK(yard.assigned() == "x");
}

TEST_CASE("needs and slots hold whatever jobs and workers come and go") {
  std::mt19937 dice{7}; // NOLINT: the same at every run
  const auto roll = [&](unsigned n) {
    return static_cast<unsigned>(dice() % n);
  };
  needy_yard yard;
  struct member {
    worker_spec spec;
    std::map<std::string, std::uint32_t> busy;
  };
  std::map<worker_id, member> members;
  std::map<std::string, std::pair<std::string, std::set<std::string>>> jobs;
  std::vector<granted_lease> running;
  for (unsigned step = 0; step < 4000; ++step) {
    yard.now += std::chrono::milliseconds{10};
    const auto what = roll(10);
    if (what == 0 && members.size() < 6) {
      worker_spec spec{"w" + std::to_string(step),
                       std::to_string(step),
                       "h",
                       1 + roll(4),
                       {job_kind::rollout},
                       {"p", "q"}};
      if (roll(2) == 0) spec.tags.insert("gpu");
      if (roll(2) == 0) spec.slots_for["p"] = 1 + roll(2);
      members[yard.table.join(spec, yard.now)] = {spec, {}};
    } else if (what == 1 && !members.empty() && roll(4) == 0) {
      const auto gone = members.begin()->first;
      yard.table.leave(gone, job_table::departure::left, yard.now);
      members.erase(gone);
      std::erase_if(running, [&](const auto& l) { return l.worker == gone; });
    } else if (what < 6) {
      const auto id = "j" + std::to_string(step);
      jobs[id] = {roll(2) == 0 ? "p" : "q", roll(3) == 0
                                                ? std::set<std::string>{"gpu"}
                                                : std::set<std::string>{}};
      yard.submit_with(id, jobs[id].second, jobs[id].first);
    } else if (!running.empty()) {
      const auto at = roll(static_cast<unsigned>(running.size()));
      const auto done = running[at];
      running.erase(running.begin() + at);
      --members.at(done.worker).busy[jobs.at(done.key.job.value).first];
      yard.finish(done, roll(5) == 0 ? "broken" : "");
    }
    for (const auto& lease : yard.assign()) {
      auto& holder = members.at(lease.worker);
      const auto& [benchmark, tags] = jobs.at(lease.key.job.value);
      CHECK((tags.empty() || holder.spec.tags.contains("gpu")));
      const auto busy = ++holder.busy[benchmark];
      const auto limit = holder.spec.slots_for.find(benchmark);
      if (limit != holder.spec.slots_for.end()) CHECK(busy <= limit->second);
      running.push_back(lease);
    }
  }
  CHECK(jobs.size() > 1000);
}

TEST_CASE("a hello with a tag that is none is refused") {
  worker_hello hello;
  hello.incarnation = "i";
  hello.roles = {"rollout"};
  hello.tags = {"gpu"};
  CHECK(refusal_of(hello).empty());
  hello.tags = {"g p u"};
  CHECK_THAT(refusal_of(hello), Contains("tag that is none"));
  hello.tags.assign(101, "gpu");
  CHECK_THAT(refusal_of(hello), Contains("more than 100"));
}

TEST_CASE("a hello may not bring what a coordinator cannot keep") {
  worker_hello hello;
  hello.incarnation = "i";
  hello.roles = {"rollout"};
  hello.jobs.resize(10'001);
  hello.benchmarks = {{"toy", std::string(1000, 'f')}};
  CHECK(refusal_of(hello).empty());
  SECTION("jobs") {
    hello.jobs.resize(10'002);
    CHECK_THAT(refusal_of(hello), Contains("10002 jobs in hand"));
  }
  SECTION("benchmarks") {
    hello.benchmarks.resize(101);
    CHECK_THAT(refusal_of(hello), Contains("more than 100"));
  }
  SECTION("long words") {
    hello.benchmarks = {{"toy", std::string(1001, 'f')}};
    CHECK_THAT(refusal_of(hello), Contains("more than 1000 bytes"));
  }
}

TEST_CASE("a worker gets its own jobs, whoever has left before it") {
  needy_yard yard;
  for (int i = 0; i < 100; ++i) {
    const auto name = "w" + std::to_string(i);
    const auto worker = yard.join_with(name, {name});
    yard.submit_with(name, {name});
    CHECK(yard.grant().worker == worker);
    yard.table.leave(worker, job_table::departure::left, yard.now);
    yard.table.drop_queued(yard.run);
  }
}

TEST_CASE("a new weight counts from now on") {
  job_yard yard;
  yard.join("w");
  yard.table.open_run(yard.elsewhere);
  // Equal weights, equal jobs: in turn.
  const auto share_of_next = [&](int jobs) {
    int here = 0;
    for (int i = 0; i < jobs; ++i) {
      const auto lease = yard.grant();
      if (lease.key.run == yard.run) ++here;
      yard.now += std::chrono::seconds{1};
      yard.finish(lease);
    }
    return here;
  };
  for (int i = 0; i < 200; ++i) {
    yard.submit(yard.run, "a" + std::to_string(i), "t");
    yard.submit(yard.elsewhere, "b" + std::to_string(i), "t");
  }
  CHECK(std::abs(share_of_next(40) - 20) <= 1);
  yard.table.set_share(yard.run, {3, 0});
  CHECK(std::abs(share_of_next(40) - 30) <= 1);
  yard.table.set_share(yard.run, {0.25, 0});
  CHECK(std::abs(share_of_next(40) - 8) <= 2);
}

TEST_CASE("a new priority counts from now on") {
  job_yard yard;
  yard.join("w");
  yard.table.open_run(yard.elsewhere, {1, 1});
  yard.submit(yard.run, "a", "t");
  yard.submit(yard.run, "c", "t");
  yard.submit(yard.elsewhere, "b", "t");
  yard.table.set_share(yard.run, {1, 2});
  auto lease = yard.grant();
  CHECK(lease.key.run == yard.run);
  yard.table.set_share(yard.run, {1, 0});
  yard.finish(lease);
  CHECK(yard.grant().key.run == yard.elsewhere);
}

TEST_CASE("the table counts the jobs of each run by kind") {
  job_yard yard;
  yard.join("w");
  for (const auto* id : {"a", "b", "c"})
    yard.submit(id);
  yard.finish(yard.grant());
  REQUIRE(yard.assign().size() == 1);
  REQUIRE(yard.table.loads().size() == 1);
  const auto load = yard.table.loads().front();
  CHECK(load.run == yard.run);
  CHECK(load.queued == 1);
  CHECK(load.running == 1);
  CHECK(load.done == 1);
}
