#include "tests/workers/proxy_bench.hpp"

using namespace brewery;
using namespace brewery::test;
using std::chrono::milliseconds;
using bench = proxy_bench;

namespace {

result_report report_of(const std::string& job, const job_result& answer) {
  return {session, lease_of(job), wire::encode(answer), {}};
}

} // namespace

TEST_CASE("a worker is welcomed with its session and what it may keep") {
  auto hello = hello_of("w");
  hello.sequence = 5;
  hello.protocol_max = 9;
  hello.held = {{lease_of("a"), false, 0}, {lease_of("b"), false, 0}};
  bench b{hello, {{lease_of("a", 8), false}}};
  REQUIRE(b.pool->joined.size() == 1);
  CHECK(b.pool->joined.front().held.size() == 2);
  const auto welcome = b.sent<worker_welcome>();
  REQUIRE(welcome.size() == 1);
  CHECK(welcome.front().hello == 5);
  CHECK(welcome.front().protocol == protocol_newest);
  CHECK(welcome.front().session == session);
  CHECK(welcome.front().epoch == 7);
  CHECK(welcome.front().adopted == std::vector<lease_key>{lease_of("a", 8)});
  CHECK(b.logged("1 of 2 jobs in hand adopted"));
}

TEST_CASE("an assignment is sent at once, again until seen, then no more") {
  bench b;
  b.grant("a");
  const auto grants = b.sent<lease_grant>();
  REQUIRE(grants.size() == 1);
  CHECK(grants.front().key == lease_of("a"));
  CHECK(grants.front().setup == "setup");
  CHECK(grants.front().time_limit_ms
        == static_cast<std::uint64_t>(b.options.job_limit.count()));
  b.pass(2 * b.options.heartbeat + milliseconds{1000});
  CHECK(b.sent<lease_grant>().size() == 2);
  b.beat(1, {{lease_of("a"), false, 0}});
  b.pass(milliseconds{8000});
  CHECK(b.sent<lease_grant>().size() == 2);
}

TEST_CASE("a result goes to the pool once, however often it comes") {
  bench b;
  b.grant("a");
  const auto report = report_of("a", rollout_of("a"));
  for (int i = 0; i < 5; ++i)
    b.says(report);
  const auto results = b.pool->of<lease_result>();
  REQUIRE(results.size() == 1);
  CHECK(results.front().key == lease_of("a"));
  CHECK(*results.front().result == rollout_of("a"));
  CHECK(b.sent<result_ack>().empty()); // not before the log has it
  b.orders(result_settled{lease_of("a"), result_verdict::kept});
  const auto acks = b.sent<result_ack>();
  REQUIRE(acks.size() == 1);
  CHECK(acks.front().key == lease_of("a"));
  CHECK(acks.front().verdict == result_verdict::kept);
}

TEST_CASE("a result under no lease is the pool's to refuse, each time") {
  bench b;
  const auto report = report_of("a", rollout_of("a"));
  b.says(report);
  b.says(report); // its refusal was lost
  CHECK(b.pool->of<lease_result>().size() == 2);
}

TEST_CASE("a result that is none counts as the worker's failure") {
  struct wrong {
    std::string what, result, error, says;
  };
  for (const auto& one :
       {wrong{"bytes", "\xff\x01", "", "job_result"},
        wrong{"empty", "", "", "job_result"},
        wrong{"another job", wire::encode(rollout_of("b")), "", "another job"},
        wrong{"an error", "", "it\nfailed \x1b[2J", "it?failed ?[2J"}}) {
    INFO(one.what);
    bench b;
    b.grant("a");
    b.says(result_report{session, lease_of("a"), one.result, one.error});
    const auto results = b.pool->of<lease_result>();
    REQUIRE(results.size() == 1);
    CHECK(results.front().result == nullptr);
    CHECK(results.front().error.find(one.says) != std::string::npos);
    CHECK(b.logged("failed job a"));
  }
}

TEST_CASE("contents are sent by hash, or that there are none") {
  bench b;
  b.says(blob_request{session, {"known", "unknown"}});
  const auto sent = b.sent<blob_content>();
  REQUIRE(sent.size() == 2);
  CHECK(sent[0].hash == "known");
  CHECK(sent[0].found);
  CHECK(sent[0].content == "content");
  CHECK(sent[1].hash == "unknown");
  CHECK_FALSE(sent[1].found);
}

TEST_CASE("one request cannot ask for more than a frame's worth") {
  bench b;
  b.says(blob_request{session, std::vector<std::string>(200'000, "known")});
  CHECK(b.sent<blob_content>().size() == 1);
  b.frames.clear();
  std::vector<std::string> many;
  for (int i = 0; i < 5000; ++i)
    many.push_back(std::to_string(i));
  b.looked_up = 0;
  b.says(blob_request{session, many});
  CHECK(b.sent<blob_content>().size() == 1024);
  CHECK(b.looked_up == 1024);
}
