/// A job that no worker takes, with the pool and the proxies of its workers.

#include "cluster/pool_core.hpp"
#include "cluster/worker_proxy.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

const run_id idle_run{"s"};

/// Workers that send heartbeats, and take nothing.
struct idle_cluster {
  struct member {
    worker_proxy proxy;
    worker_id id;
    std::uint64_t session;
    std::uint64_t beats = 0;
  };
  cluster_options options;
  microseconds now{0};
  pool_core pool{options, 7};
  std::uint64_t sessions = 0;
  std::map<worker_id, member> members;
  std::size_t granted = 0;
  std::vector<quarantined_job> given_up;

  idle_cluster() {
    pool.open({idle_run, {}, {}, "setup"});
    rollout_job rollout;
    rollout.id = {"a"};
    carry_out(pool.run(idle_run, make_job(rollout), asker_id{1}, now));
  }
  void join(const std::string& name) {
    worker_proxy::settings about;
    about.options = options;
    about.session = ++sessions;
    worker_proxy proxy{about, now};
    worker_spec spec{name, name, "h", 1, {job_kind::rollout}, {"*"}};
    auto joining = pool.join(std::move(spec), sessions, {}, now);
    REQUIRE(joining.answer);
    (void)proxy.joined(*joining.answer, now);
    const auto id = joining.answer->worker;
    members.emplace(id, member{std::move(proxy), id, sessions});
    carry_out(pool.assign(now));
  }
  void carry_out(pool_step step) {
    for (const auto& [worker, order] : step.orders) {
      granted += std::holds_alternative<lease_order>(order) ? 1 : 0;
      (void)members.at(worker).proxy.order(order, now);
    }
    for (auto& job : step.given_up)
      given_up.push_back(std::move(job));
  }
  void pass(microseconds more) {
    now += more;
    for (auto& [id, one] : members) {
      auto heard = one.proxy.receive(
          worker_heartbeat{one.session, ++one.beats, {}, false}, now);
      carry_out(pool.report(id, std::move(heard.reports), now));
    }
    carry_out(pool.tick(now));
  }
  /// Its connection breaks, and it does not come back.
  void lose(worker_id id) {
    auto lost = std::move(members.extract(id).mapped());
    lost.proxy.disconnected(now);
    now += options.suspicion;
    auto ended = lost.proxy.check(now);
    REQUIRE(ended.ended);
    carry_out(pool.report(id, std::move(ended.reports), now));
  }
};

} // namespace

TEST_CASE("a job that no worker takes is given up after three of them") {
  idle_cluster c;
  for (const auto* name : {"w1", "w2", "w3", "w4"})
    c.join(name);
  while (c.given_up.empty() && c.now < std::chrono::minutes{10})
    c.pass(c.options.heartbeat);
  REQUIRE(c.given_up.size() == 1);
  CHECK(c.granted == c.options.max_failures);
  CHECK(c.given_up.front().reason.find("offered for 30 s and not taken")
        != std::string::npos);
  CHECK(c.pool.table().counts().queued == 0);
}

TEST_CASE("a job that one worker alone does not take goes to another") {
  idle_cluster c;
  c.join("w1");
  while (c.granted < 2 && c.now < std::chrono::minutes{10}) {
    c.pass(c.options.heartbeat);
    if (c.members.size() == 1 && c.now > std::chrono::seconds{20}) c.join("w2");
  }
  const auto workers = c.pool.table().workers();
  REQUIRE(workers.size() == 2);
  CHECK(workers[0].busy == 0);
  CHECK(workers[0].failed == 1);
  CHECK(workers[1].busy == 1);
  CHECK(c.given_up.empty());
}

TEST_CASE("a job that kills each worker before it is taken is given up") {
  idle_cluster c;
  for (std::size_t i = 1; c.given_up.empty() && i <= 100; ++i) {
    c.join("w" + std::to_string(i));
    c.lose(c.members.begin()->first);
  }
  REQUIRE(c.given_up.size() == 1);
  CHECK(c.granted == c.options.max_crashes);
}
