#include "tests/workers/proxy_bench.hpp"

using namespace brewery;
using namespace brewery::test;
using std::chrono::milliseconds;
using proxy_bench = proxy_bench;

TEST_CASE("a worker whose connection broke has a while to come back") {
  proxy_bench b;
  b.grant("a");
  b.connection_breaks();
  b.pass(b.options.suspicion / 2);
  CHECK_FALSE(b.ended());
  b.beat(1, {{lease_of("a"), false, 0}}); // it is back
  b.pass(3 * b.options.suspicion);
  CHECK_FALSE(b.ended());
  CHECK(b.pool->of<worker_leaves>().empty());
  b.connection_breaks();
  b.pass(b.options.suspicion + milliseconds{10});
  CHECK(b.ended());
  const auto left = b.pool->of<worker_leaves>();
  REQUIRE(left.size() == 1);
  CHECK(left.front().how == job_table::departure::crashed);
}

TEST_CASE("a silent worker is given up after a lease, not before") {
  proxy_bench b;
  b.pass(b.options.lease - milliseconds{1500});
  CHECK_FALSE(b.ended());
  b.beat(1, {});
  b.pass(b.options.lease - milliseconds{1500});
  CHECK_FALSE(b.ended());
  b.pass(milliseconds{3000});
  CHECK(b.ended());
  const auto left = b.pool->of<worker_leaves>();
  REQUIRE(left.size() == 1);
  CHECK(left.front().how == job_table::departure::expired);
}

TEST_CASE("messages of another session do not keep a worker alive") {
  proxy_bench b;
  for (int i = 0; i < 40 && !b.ended(); ++i) {
    b.says(worker_heartbeat{
        session + 1, static_cast<std::uint64_t>(i), {}, false});
    b.pass(milliseconds{500});
  }
  CHECK(b.ended());
  const auto refused = b.sent<peer_refusal>();
  REQUIRE_FALSE(refused.empty());
  CHECK(refused.front().session == session + 1);
  CHECK(refused.front().hello_again);
  CHECK(b.pool->of<lease_result>().empty());
}

TEST_CASE("what a worker holds no longer goes back, what it should not ends") {
  proxy_bench b;
  b.grant("a");
  b.beat(1, {{lease_of("a"), false, 3}});
  b.beat(2, {{lease_of("x"), false, 0}});
  const auto back = b.pool->of<leases_returned>();
  REQUIRE(back.size() == 1);
  CHECK(back.front().keys == std::vector<lease_key>{lease_of("a")});
  const auto replies = b.sent<heartbeat_reply>();
  REQUIRE(replies.size() == 2);
  CHECK(replies.back().cancelled == std::vector<lease_key>{lease_of("x")});
}

TEST_CASE("a draining worker is told, says so, and leaves with goodbye") {
  proxy_bench b;
  b.grant("a");
  b.orders(drain_worker{"an operator asked for it"});
  const auto orders = b.sent<drain_order>();
  REQUIRE(orders.size() == 1);
  CHECK(orders.front().reason == "an operator asked for it");
  b.says(worker_heartbeat{session, 1, {{lease_of("a"), false, 0}}, true});
  CHECK(b.pool->of<worker_drains>().size() == 1);
  CHECK_FALSE(b.ended());
  b.says(worker_goodbye{session, {lease_of("a")}, "told to\nstop"});
  CHECK(b.ended());
  const auto back = b.pool->of<leases_returned>();
  REQUIRE(back.size() == 1);
  CHECK(back.front().keys == std::vector<lease_key>{lease_of("a")});
  REQUIRE(b.pool->of<worker_leaves>().size() == 1);
  CHECK(b.pool->of<worker_leaves>().front().how == job_table::departure::left);
  CHECK(b.logged("told to stop"));
}

TEST_CASE("a lost order to drain is repeated while heartbeats deny it") {
  proxy_bench b;
  b.beat(1, {});
  CHECK(b.sent<drain_order>().empty());
  b.orders(drain_worker{"why"});
  b.beat(2, {});
  b.beat(3, {});
  REQUIRE(b.sent<drain_order>().size() == 3);
  CHECK(b.sent<drain_order>().back().reason == "why");
  b.says(worker_heartbeat{session, 4, {}, true});
  CHECK(b.sent<drain_order>().size() == 3);
}

TEST_CASE("a job that its worker never takes failed, and the log says so") {
  proxy_bench b;
  b.grant("a");
  std::uint64_t number = 0;
  for (int i = 0; i < 30 && b.pool->of<lease_result>().empty(); ++i) {
    b.pass(milliseconds{2000});
    b.beat(++number, {});
  }
  const auto failed = b.pool->of<lease_result>();
  REQUIRE(failed.size() == 1);
  CHECK(failed.front().key == lease_of("a"));
  CHECK(failed.front().error == "it was offered for 30 s and not taken");
  CHECK(b.now >= 3 * b.options.lease);
  CHECK(b.logged("has not taken 1 job that it was offered for 30 s"));
  const auto sent = b.sent<lease_grant>().size();
  b.pass(milliseconds{6000});
  CHECK(b.sent<lease_grant>().size() == sent);
}

TEST_CASE("a lease that ends is cancelled, and is not sent again") {
  proxy_bench b;
  b.grant("a");
  b.orders(lease_ended{lease_of("a")});
  const auto cancelled = b.sent<lease_cancel>();
  REQUIRE(cancelled.size() == 1);
  CHECK(cancelled.front().key == lease_of("a"));
  b.pass(milliseconds{6000});
  CHECK(b.sent<lease_grant>().size() == 1);
}

TEST_CASE("unreadable bytes are noted and change nothing") {
  proxy_bench b;
  for (const std::string bytes : {"", "BW", "BW\x01\x01\xc1", "nonsense"}) {
    b.actors.send(b.proxy,
                  arrived_message{std::make_shared<const std::string>(bytes)});
    b.actors.run();
  }
  CHECK(b.logged("sent something unreadable"));
  CHECK_FALSE(b.ended());
  CHECK(b.pool->heard.empty());
}

TEST_CASE("lines of a worker's log arrive as single lines, bounded") {
  proxy_bench b;
  b.says(worker_heartbeat{
      session, 1, {}, false, {"one\ntwo", std::string(9000, 'x')}});
  REQUIRE(b.worker_log.size() == 2);
  CHECK(b.worker_log.front() == "w: one two");
  CHECK(b.worker_log.back().size() < 4100);
  b.says(worker_heartbeat{
      session, 2, {}, false, std::vector<std::string>(5000, "x")});
  CHECK(b.worker_log.size() == 102);
}
