#include "cluster/worker_session.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

worker_session fresh() {
  return {
      {"w", "i", "h", "0", 1, {job_kind::rollout}, {}}, cluster_options{}, {}};
}

worker_welcome welcome() {
  return {1, protocol_newest, 7, 1, 10'000, 2'500, {}};
}

lease_grant grant(std::uint64_t session) {
  return {session, {{"s"}, {"a"}, 1, 1}, "setup", "work", 0};
}

} // namespace

TEST_CASE("a welcome with times beyond every clock leaves sane ones") {
  for (const std::uint64_t ms :
       {UINT64_MAX, UINT64_MAX / 2, UINT64_MAX / 3, UINT64_MAX / 1000}) {
    INFO(ms << " ms");
    auto worker = fresh();
    (void)worker.begin(microseconds{0});
    auto extreme = welcome();
    extreme.lease_ms = extreme.heartbeat_ms = ms;
    const auto step = worker.on(extreme, microseconds{1});
    CHECK(worker.connected());
    CHECK(step.send.size() == 1);
    CHECK(worker.tick_every() > microseconds{0});
    // Neither silence nor a heartbeat is due.
    CHECK(worker.tick(microseconds{1'000'000}).send.empty());
    CHECK(worker.tick(std::chrono::hours{48}).send.size() == 1);
  }
}

TEST_CASE("without a session nothing of session 0 is taken") {
  auto worker = fresh();
  (void)worker.begin(microseconds{0});
  CHECK(worker.on(grant(0), microseconds{1}).start.empty());
  CHECK(worker.running() == 0);
  (void)worker.on(drain_order{0, "?"}, microseconds{1});
  CHECK_FALSE(worker.draining());
  auto unnumbered = welcome();
  unnumbered.session = 0;
  CHECK(worker.on(unnumbered, microseconds{1}).send.empty());
  CHECK_FALSE(worker.connected());

  (void)worker.on(welcome(), microseconds{2});
  CHECK(worker.connected());
  CHECK(worker.on(grant(7), microseconds{3}).start.size() == 1);
}
