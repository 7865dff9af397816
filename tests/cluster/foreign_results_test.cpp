/// A worker and results that it keeps for another coordinator than the one
/// that welcomes it.

#include "tests/cluster/worker_session_support.hpp"

using namespace brewery;
using namespace std::chrono_literals;

namespace {

spooled_result kept_for(const std::string& cluster, const std::string& job) {
  return {key_of(job, 3, 6), "R" + job, "", cluster};
}

/// A coordinator of this name welcomes the worker.
worker_step welcomed(worker_end& end, const worker_step& hello,
                     const std::string& cluster,
                     const std::vector<lease_key>& adopted = {}) {
  worker_welcome out;
  out.hello = only<worker_hello>(hello).sequence;
  out.session = ++end.number;
  out.adopted = adopted;
  out.cluster = cluster;
  return end.on(out);
}

} // namespace

TEST_CASE("what another coordinator waits for is left in the spool") {
  worker_end end{{kept_for("A", "a"), kept_for("B", "b"), kept_for("", "c")}};
  const auto step =
      welcomed(end, end.session.begin(end.now), "A", {key_of("a", 1)});
  CHECK(only<result_report>(step).key == key_of("a", 1));
  CHECK(step.set_aside == std::vector{key_of("b", 3, 6)});
  CHECK(step.unspool == std::vector{key_of("c", 3, 6)}); // as ever
  CHECK(step.to_spool.empty());
  CHECK(step.note
        == "1 result left: of another coordinator; 1 result dropped: their run "
           "is not known, or has them already");
  CHECK(end.session.unacknowledged() == 1);
  CHECK(end.ack(key_of("a", 1)).unspool.size() == 1);
}

TEST_CASE("a coordinator gets no result of another's run of the same name") {
  worker_end end{{kept_for("B", "b")}};
  const auto step =
      welcomed(end, end.session.begin(end.now), "A", {key_of("b", 1)});
  CHECK(sent<result_report>(step).empty());
  CHECK(step.set_aside.size() == 1);
  // It is named no more, so the lease goes to somebody who does the job.
  CHECK(only<worker_heartbeat>(step).jobs.empty());
}

TEST_CASE("a coordinator without a name gets what it knows, and no more") {
  worker_end end{{kept_for("A", "a"), kept_for("B", "b")}};
  const auto step =
      welcomed(end, end.session.begin(end.now), "", {key_of("a", 1)});
  CHECK(only<result_report>(step).key == key_of("a", 1));
  CHECK(step.set_aside == std::vector{key_of("b", 3, 6)});
  CHECK(step.unspool.empty());
}

TEST_CASE("a result is spooled with the name of the coordinator that asked") {
  worker_end end;
  welcomed(end, end.session.begin(end.now), "A");
  end.grant(key_of("a"));
  end.grant(key_of("b"));
  end.finish("a");
  const auto spooled = end.pass(600ms).to_spool;
  REQUIRE(spooled.size() == 1);
  CHECK(spooled[0] == spooled_result{key_of("a"), "Ra", "", "A"});
  // At the same address there is another now.
  end.finish("b");
  const auto hello = end.on(peer_refusal{end.number, "unknown session", true});
  const auto step = welcomed(end, hello, "B");
  REQUIRE(step.to_spool.size() == 1);
  CHECK(step.to_spool[0] == spooled_result{key_of("b"), "Rb", "", "A"});
  CHECK(step.set_aside == std::vector{key_of("a"), key_of("b")});
  CHECK(step.unspool.empty());
}

TEST_CASE("a running job goes on for the coordinator that adopts it") {
  worker_end end;
  welcomed(end, end.session.begin(end.now), "A");
  end.grant(key_of("a"));
  const auto hello = end.on(peer_refusal{end.number, "unknown session", true});
  const auto step = welcomed(end, hello, "B", {key_of("a", 5)});
  CHECK(step.stop.empty());
  CHECK(step.note.empty());
  CHECK(only<result_report>(end.finish("a")).key == key_of("a", 5));
  CHECK(end.pass(600ms).to_spool.at(0).cluster == "B");
}

TEST_CASE("a draining worker leaves although others' results are left") {
  worker_end end{{kept_for("B", "b")}};
  end.session.drain("enough", end.now);
  CHECK(welcomed(end, end.session.begin(end.now), "A").leave);
}
